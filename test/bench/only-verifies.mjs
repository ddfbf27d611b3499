// The minimum that accepts a signed request: Node's server and the signature check.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { "x-slack-request-timestamp": timestamp = "", "x-slack-signature": signature = "" } = request.headers;
    const hmac = createHmac("sha256", process.env.SLACK_SIGNING_SECRET).update(`v0:${timestamp}:`);
    const right = Buffer.from(`v0=${hmac.update(Buffer.concat(chunks)).digest("hex")}`);
    const given = Buffer.from(signature);
    const isRight = given.length === right.length && timingSafeEqual(given, right);
    response.writeHead(isRight ? 200 : 401, { "content-length": 0 }).end();
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1");
