// Requests to the server. What fails becomes an Error whose message is a sentence for people.
import { sentence } from "./words.js";

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = new Error(sentence(content.error) || `The server answers with status ${response.status}.`);
    throw Object.assign(error, { status: response.status });
  }
  return content;
}

export const get = (path) => answer(path);

export const post = (path, content) =>
  answer(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });

export const upload = (path, file) =>
  answer(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
