import { change, type Frame, quoted, type Slots } from "./frame.ts";
import { commands, isBehind } from "./question-lines.ts";

/** What is undone is only shown, with its button. */
const undone: Frame["say"] = ({ thing, project, action, person, doer, senses, isOwn, past }) => {
  const people = person.split(" and ").filter((each) => each !== doer);
  const about = thing || action || quoted(project) || people.map((each) => `about ${each}`).join(" ");
  const kind = (about === "" && commands.find(([sense]) => senses.has(sense))?.[1]) || "";
  const when = isBehind(past) ? past : "";
  const isMine = isOwn ? kind || when || senses.has("everything") : senses.has("mine") && kind;
  const by = doer ? `by ${doer}` : isMine ? "mine" : "";
  const filter = [about, kind, by, when].filter(Boolean).join(" ");
  return `undo ${/^(?!").* /.test(filter) ? `"${filter.replaceAll('"', "")}"` : filter}`;
};

const named = ({ name }: Pick<Slots, "name">): string => `"${name.replaceAll('"', "")}"`;

/** Names, groups, credentials, and what is undone. */
export const others: readonly Frame[] = [
  change(
    "rename|move",
    ({ project, name }) => `rename ${quoted(project)} to ${name}`,
    "project name | project need rename move fromNow new instead",
    { hasNoReason: true },
  ),
  change(
    "rename|move",
    ({ credential, ...slots }) => `credential edit ${quoted(credential)} --name ${named(slots)}`,
    "credential name | credential rename move fromNow new instead",
    { hasNoReason: true },
  ),
  change(
    "rename|move",
    ({ selector, ...slots }) => `selector edit --selector ${quoted(selector)} --name ${named(slots)}`,
    "selector name | selector rename move fromNow new instead",
    { hasNoReason: true },
  ),
  change(
    "create|extend|save|end|detach|anymore|release|go|skip|need|move",
    ({ selector }) => `selector edit --selector ${quoted(selector)}`,
    "selector thing | selector off machine group keep keepUp up plan list | warn rename",
    { hasNoReason: true },
  ),
  change(
    "wording",
    (slots) => `edit --reason ${named(slots)}`,
    "name | move keep keepUp keepOff mine run end up need all",
    { on: "exclusion", hasNoReason: true },
  ),
  change("create plan", "plan create", "time? thing? | new machine group all stop start run backup keep | warn", {
    hasNoReason: true,
  }),
  change(
    "undo",
    undone,
    "thing? person? time? project? action? | change up next project rename keep end create what mine go done disable enable move all everything latest account keep keepUp keepOff extend shorten release detach email mfa series | approve deny withdraw",
    { isShown: true, hasNoReason: true },
  ),
  change(
    "end|reset|release|off",
    ({ credential }) => `credential delete ${quoted(credential)}`,
    "credential | credential need anymore account go",
  ),
  change(
    "save",
    ({ thing, name }) => `group save ${name.replaceAll(" ", "-")} ${thing}`,
    "thing name | group rename keep create need all everything keepUp go move",
    { hasNoReason: true },
  ),
];
