/** An answer other than success, in the observed form (observed.md, "Error body", "Status codes", "Error codes seen"). */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly modelState: ModelState | undefined;

  constructor(status: number, code: string, message: string, modelState?: ModelState) {
    super(message);
    this.status = status;
    this.code = code;
    this.modelState = modelState;
  }
}

/** Field to messages. */
export type ModelState = Readonly<Record<string, readonly string[]>>;

/** A request that does not have the shape its row declares. */
export function invalidShape(modelState: ModelState): Refusal {
  return new Refusal(403, "ParameterValidationFailed", "The request is invalid.", modelState);
}

/** A well-formed request with a value that the service does not take. */
export function invalidValue(field: string, message: string): Refusal {
  return new Refusal(400, "InvalidParameter", message, { [field]: [message] });
}

/** The thing of that id, or the 404 that the service gives for a kind of thing it does not have (`UserNotFound`, …). */
export function found<T>(things: ReadonlyMap<string, T>, kind: string, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw notFound(kind, id);
  return thing;
}

export function notFound(kind: string, id: string): Refusal {
  return new Refusal(404, `${kind}NotFound`, `${kind} ${id} was not found.`);
}
