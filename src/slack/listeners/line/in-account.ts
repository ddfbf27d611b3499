import type { CommandSettings } from "../../../commands/query-ports.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import type { Word } from "../../../language/tokenize.ts";
import { accountOf, accountSaid, mainAccount } from "../../../service/account-ids.ts";
import { groupNamed } from "../../fields/resource-words.ts";

type Settings = Pick<CommandSettings, "accounts" | "resourceGroups">;

/**
 * Reads a line in which “in eu” or “--account eu” names an account of the service: each name and machine in it is of that account, as
 * if it were typed “eu/…”. Where the line names nothing, the words are read like any others.
 */
export async function readInAccount(
  text: string,
  settings: Settings,
  read: (text: string) => Promise<LineSplit>,
): Promise<LineSplit> {
  const said = Object.keys(settings.accounts).length > 0 ? accountIn(text, settings) : undefined;
  const split = said && (await read(said.rest));
  const placed = split?.kind === "split" ? withAccount(split, said?.account ?? mainAccount, settings) : undefined;
  return placed ?? read(text);
}

/** Not within quotes, and not in a reason. */
function accountIn(text: string, { accounts }: Settings) {
  const names = [mainAccount, ...Object.keys(accounts)].join("|");
  const saying = new RegExp(`\\s(?:--account[= ]|in (?:the |account )*)(${names})(?: account)?(?=$|[\\s,;.?!])`, "i");
  const [reason = ""] = /\b(?:because|since|reason|for the reason)\b.*|["“'‘`].*/is.exec(text) ?? [];
  const before = text.slice(0, text.length - reason.length);
  const [words = "", account = ""] = saying.exec(before) ?? [];
  if (words === "") return undefined;
  return { account: account.toLowerCase(), rest: before.replace(words, "") + reason };
}

/** Undefined where nothing in it could be of an account. */
function withAccount(split: SplitLine, account: string, settings: Settings): SplitLine | undefined {
  const problems: string[] = [];
  const put = (word: Word): Word => {
    const group = groupNamed(word.value, settings.resourceGroups);
    if (group && accountOf(group.project) !== account)
      problems.push(`The group “${word.value}” is in the account ${accountOf(group.project)}, not in ${account}.`);
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
