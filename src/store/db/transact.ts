/** Waits for all of these statements of one transaction, also when one fails: none may run after its end. On PostgreSQL they share a round trip. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(statements)) if (result.status === "rejected") throw result.reason;
}
