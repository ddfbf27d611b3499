/** Curfew stops, and another instance is still at the thing. */
export class LockUnavailableError extends Error {
  readonly code = "LockUnavailable";
  constructor(key: string, cause: unknown) {
    super(`another instance is at ${key}, and its turn is not waited for any more`, { cause });
    this.name = "NoTurnError";
  }
}
