import { isProblem } from "../commands/answer.ts";
import { type Authorisation, authorise } from "./authorise.ts";
import type { Ask, ChangePorts } from "./changes.ts";
import { resolveSecrets } from "./resolve-secrets.ts";

/** Whether it may and can be done: in the service's own terms, and with every key file it names at hand. */
export async function admit(
  { read, secretFiles, settings }: Pick<ChangePorts, "read" | "secretFiles" | "settings">,
  { command, input, context }: Pick<Ask, "command" | "input" | "context">,
): Promise<Authorisation> {
  const prepared = (await command.prepare?.(input, { ...context, read })) ?? input;
  const authorised = await authorise(settings().policy, command, prepared, context);
  if (authorised.kind !== "authorised") return authorised;
  const resolved = await resolveSecrets(authorised.request, secretFiles);
  return isProblem(resolved) ? { kind: "invalid", problem: resolved } : authorised;
}
