import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    env: { TZ: "UTC" },
    testTimeout: 20_000,
    // Importing a module does nothing, so files can share what they import; it halves the time the suite takes.
    isolate: false,
  },
});
