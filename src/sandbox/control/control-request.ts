import { z } from "zod";
import { operationNames } from "../../service/operations.ts";
import type { Act } from "../act.ts";

const text = z.string().min(1).max(10_000);
const typed = z.union([z.string().max(10_000), z.array(z.string()).readonly(), z.boolean(), z.number(), z.null()]);

const actShape = z.strictObject({
  as: text,
  in: text.default("ops"),
  type: text.exactOptional(),
  fill: z.record(z.string(), typed).exactOptional(),
  suggest: z.strictObject({ label: text, query: z.string() }).exactOptional(),
  submit: z.literal(true).exactOptional(),
  cancel: z.literal(true).exactOptional(),
  press: text.exactOptional(),
  nth: z.int().min(1).default(1),
  deny: z.boolean().default(false),
});

/** The body of `POST /act`: a person and exactly one act. */
export const actRequest = actShape.transform((body, context): { readonly as: string; readonly act: Act } => {
  const [act, ...others] = actsIn(body);
  if (act && others.length === 0) return { as: body.as, act };
  context.addIssue("must have exactly one of type, fill, suggest, submit, cancel, press");
  return z.NEVER;
});

function actsIn({ in: place, type, fill, suggest, submit, cancel, press, nth, deny }: z.infer<typeof actShape>): Act[] {
  const acts: (Act | undefined)[] = [
    type === undefined ? undefined : { kind: "type", text: type, place: place.replace(/^#/, "") },
    fill && { kind: "fill", values: fill },
    suggest && { kind: "suggest", ...suggest },
    submit && { kind: "submit" },
    cancel && { kind: "cancel" },
    press === undefined ? undefined : { kind: "press", button: press, nth, confirms: !deny },
  ];
  return acts.filter((act) => act !== undefined);
}

const times = { times: z.int().min(1).exactOptional() };
const target = { operation: z.enum(operationNames).exactOptional(), ...times };
const status = z.int().min(100).max(599);
const delayMs = z.int().min(0).max(60_000);

const serviceFault = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("latency"), ms: delayMs, ...target }),
  z.strictObject({ kind: z.literal("refuse"), ...target }),
  z.strictObject({ kind: z.literal("reset-before"), ...target }),
  z.strictObject({ kind: z.literal("reset-after"), ...target }),
  z.strictObject({ kind: z.literal("status"), status, retryAfterSeconds: z.int().min(0).exactOptional(), ...target }),
  z.strictObject({ kind: z.literal("garbage"), status: status.exactOptional(), ...target }),
]);

const slackFault = z.strictObject({
  method: text,
  error: text.exactOptional(),
  status: status.exactOptional(),
  retryAfterSeconds: z.int().min(0).exactOptional(),
  reset: z.boolean().exactOptional(),
  delayMs: delayMs.exactOptional(),
  afterwards: z.boolean().exactOptional(),
  ...times,
});

/** The body of `POST /clock`. */
export const clockRequest = z.strictObject({ forward: text });

/** The body of `POST /fault`. */
export const faultRequest = z.union([
  z.strictObject({ service: serviceFault }),
  z.strictObject({ slack: slackFault }),
  z.strictObject({ clear: z.literal(true) }),
]);
