import { z } from "zod";
import type { Submission } from "./handle-submission.ts";

/** The parts of a `view_submission` payload that matter here (platform.md §6.4). */
const submissionPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  view: z.looseObject({
    id: z.string(),
    private_metadata: z.string(),
    state: z.looseObject({ values: z.record(z.string(), z.unknown()) }),
  }),
});

export type FormSent = Submission & { readonly values: Readonly<Record<string, unknown>> };

/** The sent form in a payload; undefined for anything that Slack would not send. */
export function readSubmission(body: unknown): FormSent | undefined {
  const payload = submissionPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, view } = payload.data;
  return { userId: user.id, viewId: view.id, privateMetadata: view.private_metadata, values: view.state.values };
}
