import { type Answer, isProblem } from "../answer.ts";
import { defineQuery, type QueryCommand, type QueryContext } from "../command.ts";
import { text } from "../field.ts";
import { changesOf } from "../filter/history-of.ts";
import { thingsMeant } from "../thing.ts";
import { type HistoryEntry, isChangeId, type Ruling, type WaitingEntry } from "./about-changes.ts";
import { nothingWaits, ownLine, waitingItem } from "./approval.ts";
import { changeLine } from "./history.ts";
import { wayBack } from "./undo.ts";

type Verdict = Ruling["verdict"];
const verbs = { approved: "approve", denied: "deny", withdrawn: "withdraw" } as const satisfies Record<Verdict, string>;

const said = (label: string) => text({ label, maxLength: 500, keepsMentions: true, optional: true });

/**
 * The requests that may be meant by "approve alice", "deny staging" or "withdraw": by who asked, or by the person or the thing that they
 * are about. Each is shown with its buttons, since nobody decides on what they were not shown.
 */
export const requestsSaid = (verdict: Verdict): QueryCommand =>
  defineQuery({
    words: verbs[verdict],
    title: "Requests that wait",
    summary: "Show the requests that may be meant",
    operation: null,
    fields: { change: said("Request"), reason: said("Reason") },
    answer: async ({ change: named = "", reason: said }, context) => {
      // "withdraw because she found it" names no request.
      const isReason = /^(?:because|since|as)\b/i.test(named);
      const [change, reason] = isReason ? ["", [named, said].filter(Boolean).join(" ")] : [named, said];
      const own = verdict === "withdrawn";
      const waiting = (await context.waiting()).filter(({ isOwn }) => isOwn || !own);
      const plans = own ? await ownPlans(context) : [];
      const fits = await fitting(change, context);
      const [some, planned] = [latestOf(change, waiting.filter(fits)), latestOf(change, plans.filter(fits))];
      if (some.length + planned.length > 0) return answerOf({ waiting: some, planned }, verdict, reason);
      const decided = await decidedLately(context);
      const lately = decided.filter(fits).slice(0, shownDecided);
      // Words that name no request may be the beginning of the reason.
      const why = [change, reason].filter(Boolean).join(" ") || undefined;
      if (decided.length === 0 && waiting.length + plans.length === 0)
        return nothingWaits(context, "No such change waits");
      if (lately.length > 0 || waiting.length + plans.length === 0)
        return {
          title: "No such change waits that you may see",
          note: "These were decided lately.",
          items: (lately.length > 0 ? lately : decided.slice(0, shownDecided)).map(changeLine),
        };
      const all = answerOf({ waiting, planned: plans }, verdict, why);
      return { ...all, note: `No request of “${change}” waits for you. This is all that waits.` };
    },
  });

const ownPlans = ({ history, actor }: QueryContext) =>
  history({ actorId: actor.userId, states: ["planned"], limit: shownPlans });

interface Shown {
  readonly waiting: readonly WaitingEntry[];
  readonly planned: readonly HistoryEntry[];
}

/** Those that the reader may decide on; else their own. `reason`: what they have said against it. */
function answerOf({ waiting, planned }: Shown, verdict: Verdict, reason: string | undefined): Answer {
  const theirs = waiting.filter(({ mayDecide }) => mayDecide);
  const shown = theirs.length > 0 ? theirs : waiting;
  const count = shown.length + planned.length;
  const isOwn = verdict !== "withdrawn" && theirs.length === 0;
  return {
    title: `Nothing is ${verdict} yet: ${count === 1 ? "1 change waits" : `${count} changes wait`}`,
    ...(isOwn ? { note: "You asked for this yourself, so others decide on it." } : {}),
    items: [
      ...shown.map((entry) =>
        entry.mayDecide ? waitingItem(entry, verdict === "denied" ? reason : undefined) : ownLine(entry),
      ),
      ...planned.map((entry) => ({ ...changeLine(entry), button: wayBack(entry) })),
    ],
  };
}

const shownPlans = 10;
const shownDecided = 3;
const readDecided = 30;

async function decidedLately({ history }: QueryContext): Promise<readonly HistoryEntry[]> {
  const entries = await history({ limit: readDecided });
  return entries.filter(({ decisions }) => decisions.length > 0);
}

type Request = Pick<WaitingEntry, "id" | "actorName" | "description"> & { readonly actorId?: string };

const last = /^(?:the )?(?:last|latest|newest)(?: one)?$/i;

function latestOf<E>(said: string, entries: readonly E[]): readonly E[] {
  return last.test(said) ? entries.slice(-1) : entries;
}

/** Whether a request is meant: its words are those of the request, or it is about the thing that they name. */
async function fitting(said: string, context: QueryContext): Promise<(request: Request) => boolean> {
  if (said === "" || last.test(said) || pronoun.test(said)) return () => true;
  const named = said.split(/\s+/).find(isChangeId);
  if (named !== undefined) return ({ id }) => id === named.toLowerCase();
  const mentioned = /^<@([^|>]+)/.exec(said)?.[1];
  const words = wordsOf(said.replace(/['’]s?(?=\s|$)/g, "")).filter((word) => !joiners.has(word));
  const things = await thingsMeant(mentioned === undefined ? words.join(" ") : said, context);
  const about = isProblem(things) ? [] : await context.history({ about: changesOf(things), states, limit: mostAbout });
  const ids = new Set(about.map(({ id }) => id));
  return (request) =>
    ids.has(request.id) ||
    request.actorId === (mentioned ?? "") ||
    (words.length > 0 && words.every((word) => toldBy(request).has(word)));
}

const pronoun = /^(?:it|this|that|all|everything|mine)$/i;
const joiners: ReadonlySet<string> = new Set("the a of by for from about to request requests one".split(" "));
const states = ["awaiting-approval", "approved", "planned"] as const;
const mostAbout = 100;

function toldBy({ actorName, description: { asked, facts } }: Request): ReadonlySet<string> {
  const values = facts.flatMap(({ value }) =>
    typeof value === "string" ? [value] : "list" in value ? value.list : [],
  );
  return new Set([actorName, asked, ...values].flatMap(wordsOf));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
