import type { Entity, EntityKind } from "../../directory/directory.ts";
import { accountIn, accountOf } from "../../service/account-ids.ts";
import { type Answer, type CommandButton, type Item, type Line, resultButton } from "../answer.ts";
import { defineQuery, type FillContext, type QueryCommand, type QueryContext } from "../command.ts";
import { type Input, number, text } from "../field.ts";

const pageSize = 10;

export const pageField = number({ label: "Page", minimum: 1, optional: true });

/** The fields of a list that is narrowed by words. */
export const listFields = {
  words: text({
    ...{ label: "Words", hint: "Of their name or id", example: "dev", maxLength: 200, positional: "rest" },
    optional: true,
  }),
  page: pageField,
} as const;

interface Page<Thing> {
  readonly shown: readonly Thing[];
  readonly note: string | undefined;
  readonly buttons: readonly CommandButton[];
}

/** The command of a list, and its input on the first page. */
interface ListCommand {
  readonly words: string;
  readonly input: Input;
}

/** One page of a list, with buttons for the pages beside it. */
function pageOf<Thing>(all: readonly Thing[], page: number, { words, input }: ListCommand): Page<Thing> {
  const pages = Math.max(1, Math.ceil(all.length / pageSize));
  const at = Math.min(page, pages);
  const button = (label: string, to: number): readonly CommandButton[] =>
    to >= 1 && to <= pages ? [resultButton(label, words, { ...input, page: to })] : [];
  return {
    shown: all.slice((at - 1) * pageSize, at * pageSize),
    note: pages > 1 ? `Page ${at} of ${pages}` : undefined,
    buttons: [...button("Previous", at - 1), ...button("Next", at + 1)],
  };
}

interface Listed<Thing> {
  readonly all: readonly Thing[];
  readonly page: number;
  readonly command: ListCommand;
  /** "plan": what one of them is called; or so many of them. */
  readonly noun: string | ((count: number) => string);
  /** What it is narrowed to, to follow the noun: "in Development". */
  readonly narrowed?: string | undefined;
  readonly note?: string | undefined;
  /** What to do next when there is none at all. */
  readonly whenEmpty: string;
  /** The same for a narrowed list, where showing all of them is not it. */
  readonly nextWhenEmpty?: string;
  readonly lines: (shown: readonly Thing[]) => readonly (Item | Line)[] | Promise<readonly (Item | Line)[]>;
}

/** A page of things, one a line: "5 plans in Development". An empty list says what to do next. */
export async function listAnswer<Thing>(listed: Listed<Thing>): Promise<Answer> {
  const { all, page, command, noun, narrowed, note, whenEmpty, nextWhenEmpty, lines } = listed;
  const { shown, note: which, buttons } = pageOf(all, page, command);
  const next = narrowed ? (nextWhenEmpty ?? `“${command.words}” alone shows all of them.`) : whenEmpty;
  const notes = [which, all.length === 0 ? next : undefined, note];
  return {
    title: [typeof noun === "string" ? counted(all.length, noun) : noun(all.length), narrowed]
      .filter(Boolean)
      .join(" "),
    note: notes.filter(Boolean).join(" · ") || undefined,
    items: await lines(shown),
    count: all.length,
    buttons,
  };
}

/** "No plans", "1 plan", "5 policies". */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count === 0 ? "No" : count} ${noun.replace(/y$/, "ie")}s`;
}

/** For a list that is narrowed by words. */
export const matching = (words: string): string | undefined => (words ? `matching “${words}”` : undefined);

const maxSearched = 1000;

/** The entities whose name, id or e-mail address contains each of these words; a selector's also its plan's id. */
export async function searchWords<K extends EntityKind>(
  kind: K,
  words: string,
  { directory, settings }: Pick<FillContext, "directory" | "settings">,
): Promise<readonly Entity<K>[]> {
  const { account, rest = words } = accountIn(words, settings.accounts) ?? {};
  const [first = "", ...others] = rest.toLowerCase().split(/\s+/).filter(Boolean);
  const isSelector = kind === "selector";
  const found = await directory.search(kind, isSelector ? "" : first, maxSearched);
  return found.filter(({ id, name, email, body }) => {
    if (account !== undefined && accountOf(id) !== account) return false;
    const planId = isSelector && "planId" in body ? body.planId : undefined;
    const searched = [id, name, email, planId].join("\n").toLowerCase();
    return (isSelector ? [first, ...others] : others).every((word) => searched.includes(word));
  });
}

interface ListDeclaration<Thing>
  extends Pick<QueryCommand, "words" | "title" | "summary" | "operation">,
    Pick<Listed<Thing>, "noun" | "note" | "whenEmpty"> {
  /** "plans": what a line may call all of them. */
  readonly called: string;
  readonly aliases?: readonly string[];
  /** Those with these words that the requester may see. */
  readonly find: (words: string, context: QueryContext) => Promise<readonly Thing[]> | readonly Thing[];
  readonly line: (thing: Thing, context: QueryContext) => Promise<Line> | Line;
}

/** A command that lists things, one a line, narrowed by words. */
export function defineList<Thing>(declaration: ListDeclaration<Thing>): QueryCommand {
  const { called, aliases = [], find, line, noun, note, whenEmpty, ...said } = declaration;
  return defineQuery({
    ...said,
    aliases: [called, `list ${called}`, `show ${called}`, ...aliases],
    fields: listFields,
    answer: async ({ words = "", page = 1 }, context) =>
      listAnswer({
        ...{ all: await find(words, context), page, noun, note, whenEmpty, narrowed: matching(words) },
        command: { words: said.words, input: words ? { words } : {} },
        lines: (shown) => Promise.all(shown.map((thing) => line(thing, context))),
      }),
  });
}

/** Of an empty list that only the service can fill. */
export const learnt = "Curfew learns them from the service's answers and its config file.";
