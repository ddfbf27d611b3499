// Makes an error that nobody handles, on a message: "rejection" or "exception".
process.on("message", ({ kind }) => {
  if (kind === "rejection") void Promise.reject(new Error("a stray rejection"));
  else
    setImmediate(() => {
      throw new Error("a stray exception");
    });
});
