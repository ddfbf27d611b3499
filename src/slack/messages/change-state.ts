import type { Change, ChangeState } from "../../changes/change.ts";

export const stateIcons: Readonly<Record<ChangeState, string>> = {
  "awaiting-approval": ":raised_hand:",
  approved: ":hourglass_flowing_sand:",
  denied: ":no_entry:",
  withdrawn: ":leftwards_arrow_with_hook:",
  expired: ":hourglass:",
  performing: ":hourglass_flowing_sand:",
  succeeded: ":white_check_mark:",
  failed: ":x:",
  unknown: ":grey_question:",
};

/** What has become of what was asked for, in plain sentences; nothing for what was simply done. */
export function stateSentence({ state, error, decisions, approval }: Change): string {
  const why = errorSentence(error);
  switch (state) {
    case "awaiting-approval":
      return `It waits for ${lacking(approval?.count ?? 1, decisions.length)}: nothing was changed yet.`;
    case "approved":
      return error
        ? `It is approved, and the service could not be reached: nothing was changed yet, and it is tried again.${why}`
        : "It is approved, and about to be done.";
    case "performing":
      return "It is being done.";
    case "denied":
      return "It was denied: nothing was changed.";
    case "withdrawn":
      return "It was withdrawn: nothing was changed.";
    case "expired":
      return error ? `It has lapsed: nothing was changed.${why}` : "It was not approved in time: nothing was changed.";
    case "succeeded":
      return "";
    case "failed":
      return `It failed: nothing was changed.${why}`;
    case "unknown":
      return `Its outcome is unknown: it may have happened.${why}`;
  }
}

/** What went wrong, to follow another sentence. */
export function errorSentence(error: Change["error"]): string {
  return error ? ` ${error.message}${/[.”]$/.test(error.message) ? "" : "."} (${error.code})` : "";
}

function lacking(count: number, given: number): string {
  if (count === 1) return "approval";
  return `${count} approvals${given > 0 ? `, of which ${given} ${given === 1 ? "is" : "are"} given` : ""}`;
}
