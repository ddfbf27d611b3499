import { createServer, type RequestListener } from "node:http";

/** Listens on a free port and reports it to the parent. Ends with the parent. */
export function serve(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ kind: "listening", port: typeof address === "object" && address ? address.port : 0 });
  });
  process.on("disconnect", () => process.exit(0));
}
