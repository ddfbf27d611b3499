const head = (first: string, ...headers: string[]) => [first, "host: curfew", ...headers, ""].join("\r\n");
const post = (...headers: string[]) => `${head("POST /slack/events HTTP/1.1", ...headers)}\r\n`;
const mebibyte = 1024 * 1024;
/** Fresh and well-formed, so only the body shows that it is forged. */
const forged = () => [
  "content-type: application/x-www-form-urlencoded",
  `x-slack-request-timestamp: ${Math.floor(Date.now() / 1000)}`,
  `x-slack-signature: v0=${"0".repeat(64)}`,
];

export const slowCaller = "a caller's body without its last byte";
const ofCaller = [
  "content-type: application/json",
  "authorization: Bearer sandbox-token-of-deploy-bot",
  "idempotency-key: slow",
];

/** What a stranger may send over one connection, which is then held open. */
export const attacks: Readonly<Record<string, () => string>> = {
  "nothing at all": () => "",
  "half of their headers": () => `${head("POST /slack/events HTTP/1.1")}x-slow: `,
  "15 KiB of headers without an end": () => `${head("POST /slack/events HTTP/1.1")}x-huge: ${"x".repeat(15_000)}`,
  "more headers than are allowed": () => `${head("POST /slack/events HTTP/1.1")}x-huge: ${"x".repeat(200_000)}`,
  "2 MiB without a signature": () => `${post(`content-length: ${2 * mebibyte}`)}${"x".repeat(2 * mebibyte - 1)}`,
  "a forged body without its last byte": () =>
    `${post(...forged(), `content-length: ${mebibyte / 2}`)}${"x".repeat(mebibyte / 2 - 1)}`,
  "a forged body in chunks, without an end": () =>
    `${post(...forged(), "transfer-encoding: chunked")}${"1000\r\n".concat("x".repeat(4096), "\r\n").repeat(120)}`,
  "a forged body in chunks of one byte": () =>
    `${post(...forged(), "transfer-encoding: chunked")}${"1\r\nx\r\n".repeat(300)}`,
  "a forged body that says it waits for 100 Continue": () =>
    `${post(...forged(), "expect: 100-continue", "content-length: 400000")}${"x".repeat(300_000)}`,
  "50 requests without a signature, one behind the other": () => post("content-length: 2").concat("{}").repeat(50),
  "50 requests for health, one behind the other": () => `${head("GET /readyz HTTP/1.1")}\r\n`.repeat(50),
  "50 requests for the metrics, one behind the other": () => `${head("GET /metrics HTTP/1.1")}\r\n`.repeat(50),
  "one request and then nothing": () => `${head("GET /healthz HTTP/1.1")}\r\n`,
  "a method that is not taken, with 1 MiB": () =>
    `${head("PUT /slack/events HTTP/1.1", `content-length: ${mebibyte}`)}\r\n${"x".repeat(mebibyte - 1)}`,
  [slowCaller]: () => `${head("POST /v1/lines HTTP/1.1", ...ofCaller, "content-length: 100")}\r\n${"x".repeat(99)}`,
  "what is no HTTP": () => "\x16\x03\x01".repeat(1000),
};
