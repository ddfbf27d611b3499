import { createServer, type IncomingMessage, type RequestListener } from "node:http";

/** Listens on a free port and reports it to the parent. Ends with the parent. */
export function serve(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ kind: "listening", port: typeof address === "object" && address ? address.port : 0 });
  });
  process.on("disconnect", () => process.exit(0));
}

export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => resolve(body));
    request.on("error", reject);
  });
}
