import type { ServiceError } from "../service/service-error.ts";
import type { Problem } from "./answer.ts";

/** A failed read, in a sentence: what the service said. */
export function serviceProblem(error: ServiceError): Problem {
  return { problem: `The service could not show this: ${error.message} (${error.code}).` };
}
