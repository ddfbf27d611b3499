/** Curfew stops, and another machine is still at the thing. */
export class NoTurnError extends Error {
  readonly code = "NoTurn";
  constructor(key: string, cause: unknown) {
    super(`another machine is at ${key}, and its turn is not waited for any more`, { cause });
    this.name = "NoTurnError";
  }
}
