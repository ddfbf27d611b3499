// A separate process, so the measured one does not pay for the attack. Holds connections until its parent exits.
import { connect, type Socket } from "node:net";
import { attacks } from "./attacks.ts";

/** How many connections are opened in parallel. */
const atOnce = 50;
/** The timeout for connections that the other side neither reads nor closes. */
const stuckMs = 300;

const [port, count, name = ""] = process.argv.slice(2);
const bytes = Buffer.from(attacks[name]?.() ?? "", "latin1");
const held = new Set<Socket>();

function openOne(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    held.add(socket);
    const giveUp = setTimeout(resolve, stuckMs);
    const done = () => {
      clearTimeout(giveUp);
      resolve();
    };
    socket.on("error", () => undefined);
    socket.once("close", () => {
      held.delete(socket);
      done();
    });
    socket.once("connect", () => (bytes.length > 0 ? socket.write(bytes, done) : done()));
  });
}

let left = Number(count);
async function openOn(): Promise<void> {
  while (left-- > 0) await openOne();
}
await Promise.all(Array.from({ length: atOnce }, openOn));
process.send?.("held");
