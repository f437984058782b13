// The connection to a game. It joins again by itself when it is lost.

import { sentence } from "./words.js";

const LONGEST = 30; // seconds between two attempts

export class Connection {
  // `got(message)`: called for each message of the server. `changed(words)`: what is wrong with the connection, "" if nothing.
  constructor(id, tokens, got, changed) {
    Object.assign(this, { id, tokens, got, changed, pause: 1, isEnded: false });
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const kind = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${kind}://${location.host}/ws/${encodeURIComponent(this.id)}`);
    this.socket = socket;
    socket.addEventListener("open", () => this.send({ type: "join", tokens: this.tokens }));
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "welcome") {
        this.pause = 1;
        this.changed("");
      }
      if (message.type === "end") {
        this.isEnded = true;
        this.changed(sentence(message.words));
      }
      this.got(message);
    });
    socket.addEventListener("close", () => { if (socket === this.socket && !this.isEnded) this.wait(); });
  }

  wait() {
    this.changed(`The connection is lost. Trying again in ${this.pause} s.`);
    this.timer = setTimeout(() => this.open(), 1000 * this.pause);
    this.pause = Math.min(LONGEST, 2 * this.pause);
  }

  // At once, for somebody who does not want to wait. Also after the server has ended the connection.
  again() {
    this.isEnded = false;
    this.pause = 1;
    this.open();
  }

  // Whether the message could be sent.
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
