import type { CommandSettings } from "../../../commands/query-ports.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import type { Word } from "../../../language/tokenize.ts";
import { accountOf, accountSaid, mainAccount } from "../../../service/account-ids.ts";
import { groupNamed } from "../../fields/resource-words.ts";

type Settings = Pick<CommandSettings, "accounts" | "resourceGroups">;

/**
 * Reads a line in which “in eu” or “--account eu” names an account of the service: each name and machine in it is of that account, as
 * if it were typed “eu/…”. Within a reason, and where the line names nothing, the words are read like any others.
 */
export async function readInAccount(
  text: string,
  settings: Settings,
  read: (text: string) => Promise<LineSplit>,
): Promise<LineSplit> {
  const said = accountIn(text, settings);
  const unknown = said ? undefined : unknownIn(text, settings);
  if (unknown) {
    const rest = await read(text.slice(0, unknown.at));
    return rest.kind === "split" ? { ...rest, problems: [...rest.problems, unknown.problem] } : rest;
  }
  const split = said && (await read(said.rest));
  if (!said || split?.kind !== "split") return read(text);
  const isReason = (split.parts.get("reason") ?? []).some(({ start }) => start < said.at);
  if (isReason) return read(text);
  const placed = split.unexplained.length > 0 ? undefined : withAccount(split, said, settings);
  // A list is narrowed to it, in whatever way it was said.
  return placed ?? read(`${said.rest} in ${said.account}`);
}

/** Not within quotes. `at`: where it stood in the line, of which `rest` is what is left. */
function accountIn(text: string, { accounts }: Settings) {
  const names = [mainAccount, ...Object.keys(accounts)].join("|");
  const saying = new RegExp(
    `\\s(?:--\\s?account[= ]|in (?:the |account )*)(${names})(?: account)?(?=$|[\\s,;.?!])`,
    "i",
  );
  const quoted = text.search(/["“'‘`]/);
  const found = saying.exec(quoted === -1 ? text : text.slice(0, quoted));
  if (!found) return undefined;
  const [words, account = ""] = found;
  const rest = text.slice(0, found.index) + text.slice(found.index + words.length);
  return { account: account.toLowerCase(), rest, at: found.index };
}

/** An account that is said by its flag, and is none. */
function unknownIn(text: string, { accounts }: Settings) {
  const found = /\s--\s?account[= ]\s*(\S+)\s*$/i.exec(text);
  if (!found) return undefined;
  const problem = `There is no account “${found[1]}”. There are ${[mainAccount, ...Object.keys(accounts)].join(" and ")}.`;
  return { at: found.index, problem };
}

/** Undefined where nothing in it could be of an account. */
function withAccount(
  split: SplitLine,
  { account, rest }: { readonly account: string; readonly rest: string },
  settings: Settings,
): SplitLine | undefined {
  const problems: string[] = [];
  const put = (word: Word): Word => {
    const group = groupNamed(word.value, settings.resourceGroups);
    if (group && accountOf(group.project) !== account)
      problems.push(`The group “${word.value}” is in the account ${accountOf(group.project)}, not in ${account}.`);
    // Of a card's thread, the card's own thing was not typed.
    if (!rest.includes(word.value))
      problems.push(`This is about ${word.value}, which is not in the account ${account}.`);
    if (group || accountSaid(word.value, settings.accounts)) return word;
    return { ...word, value: `${account}/${word.value}` };
  };
  const isOfAccount = (name: string) => name === "thing" || kinds.has(split.command.fields[name]?.kind);
  const placed = [...split.parts].filter(([name]) => isOfAccount(name));
  if (placed.length === 0) return undefined;
  const each = placed.map(([name, words]): [string, readonly Word[]] => {
    // The name of one thing may have several words.
    const isList = split.command.fields[name]?.kind === "resource-ids";
    return [name, words.map((word, index) => (isList || index === 0 ? put(word) : word))];
  });
  return { ...split, parts: new Map([...split.parts, ...each]), problems: [...split.problems, ...problems] };
}

const kinds: ReadonlySet<string | undefined> = new Set(["reference", "resource-ids"]);
