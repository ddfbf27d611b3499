/** A change that is not being performed cannot be settled: it is settled already, or was never recorded. */
export class NotPerformingError extends Error {
  readonly code = "NotPerforming";
  constructor(changeId: string) {
    super(`change ${changeId} is not being performed, so it cannot be settled`);
    this.name = "NotPerformingError";
  }
}
