// The script of the page that is one file: unpacks the film in the page and shows it.
import { Replay } from "./replay.js";

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

unpacked("film").then((film) => new Replay(film).build()).catch((error) => {
  document.getElementById("about").textContent = `This page needs a newer browser, or is damaged: ${error.message}`;
});
