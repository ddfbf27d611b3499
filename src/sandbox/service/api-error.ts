/** An error answer in the observed form (API.md, "Observed": Error body, Status codes, Error codes seen). */
export class ApiError extends Error {
  override readonly name = "ApiError";
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

/** Messages by field. */
export type ModelState = Readonly<Record<string, readonly string[]>>;

/** The request does not match its row's schema. */
export function invalidShape(modelState: ModelState): ApiError {
  return new ApiError(403, "ParameterValidationFailed", "The request is invalid.", modelState);
}

/** The request is well-formed, but the service rejects a value. */
export function invalidValue(field: string, message: string): ApiError {
  return new ApiError(400, "InvalidParameter", message, { [field]: [message] });
}

/** The item with this id, in any case (API.md, "Observed": Paths), or the service's 404 for its kind (`UserNotFound`, …). */
export function findOrThrow<T>(items: ReadonlyMap<string, T>, kind: string, id: string): T {
  const item = items.get(id) ?? [...items].find(([key]) => key.toLowerCase() === id.toLowerCase())?.[1];
  if (item === undefined) throw notFound(kind, id);
  return item;
}

export function notFound(kind: string, id: string): ApiError {
  return new ApiError(404, `${kind}NotFound`, `${kind} ${id} was not found.`);
}
