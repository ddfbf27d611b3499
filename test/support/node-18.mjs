// Preloaded, so that a process takes its Node for an older one.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });
