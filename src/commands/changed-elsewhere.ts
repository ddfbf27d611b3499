import { z } from "zod";
import type { LinePart, Sentence } from "./answer.ts";

/** A text, a moment in epoch ms, or nothing. */
const value = z.union([z.string(), z.number()]).nullable();

const difference = z.object({ part: z.string(), before: value, after: value });
export type ActionDifference = z.output<typeof difference>;

/** What somebody did to an action in the service itself. */
export const changedElsewhere = z.object({
  what: z.enum(["created", "changed", "deleted"]),
  /** Only what differs; of a new action, what it is. */
  differences: z.array(difference).readonly(),
  /** The service's user, and when; null where the service does not say. */
  by: z.string().nullable(),
  at: z.number().nullable(),
  /** When Curfew saw it. */
  seenAt: z.number(),
});
export type ChangedElsewhere = z.output<typeof changedElsewhere>;

/** With the action that was made, changed or deleted. */
export const actionChangedElsewhere = changedElsewhere.extend({
  actionId: z.string(),
  name: z.string(),
  projectId: z.string().nullable(),
});
export type ActionChangedElsewhere = z.output<typeof actionChangedElsewhere>;

/** Parts whose values say by themselves what they are, and those with other words before them than their name. */
const wordsBefore: Readonly<Record<string, string>> = {
  ...{ "acts on": "", time: "", days: "", zone: "", schedule: "" },
  due: "it was due ",
};

export interface ChangeWords {
  /** "renamed from Stop QA and switched off" */
  readonly verb: Sentence;
  /** "19:00 → 18:00"; empty when the verb says it all. */
  readonly details: Sentence;
}

/** A change in words, each fact once. */
export function elsewhereWords({ what, differences }: Pick<ChangedElsewhere, "what" | "differences">): ChangeWords {
  const renamed = differences.find(({ part }) => part === "name");
  const switched = differences.find(({ part }) => part === "enabled");
  const others = differences.filter((each) => each !== renamed && each !== switched);
  const details = joined(others.map(differenceWords), ", ");
  if (what !== "changed") return { verb: [what], details };
  // When it runs next follows from being switched on.
  const isMore = others.some(({ part, before }) => part !== "next run" || before !== null);
  const verbs: Sentence[] = [
    ...(renamed ? [["renamed from ", partOf(renamed.before)]] : []),
    ...(switched ? [[`switched ${String(switched.after)}`]] : []),
    ...(isMore || differences.length === 0 ? [["changed"]] : []),
  ];
  const last = verbs.pop() ?? ["changed"];
  return { verb: verbs.length > 0 ? [...joined(verbs, ", "), " and ", ...last] : last, details };
}

const joined = (sentences: readonly Sentence[], separator: string): Sentence =>
  sentences.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));

function differenceWords({ part, before, after }: ActionDifference): Sentence {
  const label = wordsBefore[part] ?? `${part}: `;
  if (part === "tags") {
    const added = after === null ? [] : [["added ", partOf(after)]];
    const removed = before === null ? [] : [["removed ", partOf(before)]];
    return [label, ...joined([...added, ...removed], ", ")];
  }
  if (before === null && after !== null) return [label, partOf(after)];
  return [label, partOf(before), " → ", partOf(after)];
}

function partOf(shown: ActionDifference["before"]): LinePart {
  if (shown === null) return "none";
  return typeof shown === "number" ? { at: shown } : shown;
}

export type NameOf = (kind: "user" | "project", id: string) => Promise<string>;

/** The same with the names of projects and of the user in place of their ids. */
export async function withNames<C extends ChangedElsewhere>(change: C, nameOf: NameOf): Promise<C> {
  const projectName = async (id: ActionDifference["after"]) => (typeof id === "string" ? nameOf("project", id) : id);
  const differences = change.differences.map(async (each) =>
    each.part === "project"
      ? { ...each, before: await projectName(each.before), after: await projectName(each.after) }
      : each,
  );
  const by = change.by === null ? null : await nameOf("user", change.by);
  return { ...change, differences: await Promise.all(differences), by };
}

/** What the watcher knows of an action, beside what the service lists. */
export interface SeenAction {
  /** When it was due last, in epoch ms; null if that was not seen. */
  readonly lastAt: number | null;
  /** What somebody last did to it in the service; undefined if nothing was seen. */
  readonly change?: ChangedElsewhere | undefined;
}

/** What the watcher has seen of the service's actions. */
export interface SeenActions {
  /** Undefined for an action that was not watched yet. */
  seenAction(id: string): Promise<SeenAction | undefined>;
  /** What was done to actions in the service itself, as far as Curfew keeps it; at least the last of each that is still there. */
  seenChanges(): Promise<readonly ActionChangedElsewhere[]>;
}
