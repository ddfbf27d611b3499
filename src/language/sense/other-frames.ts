import { change, type Frame, quoted, type Slots } from "./frame.ts";

/** What is undone is only shown, with its button. */
const undone: Frame["say"] = ({ thing, project, person, doer, senses }) => {
  const people = person.split(" and ").filter((each) => each !== doer);
  const about = thing || quoted(project) || people.join(" ");
  const kind = senses.has("rename") && about === "" ? "project rename" : "";
  const by = doer ? `by ${doer}` : senses.has("mine") && kind ? "mine" : "";
  const filter = [about, kind, by].filter(Boolean).join(" ");
  return `undo ${/^(?!").* /.test(filter) ? `"${filter.replaceAll('"', "")}"` : filter}`;
};

const named = ({ name }: Pick<Slots, "name">): string => `"${name.replaceAll('"', "")}"`;

/** Names, groups, credentials, and what is undone. */
export const others: readonly Frame[] = [
  change("rename|move", ({ project, name }) => `rename ${quoted(project)} to ${name}`, {
    may: "project need rename move fromNow new",
    needs: "project name",
  }),
  change("rename|move", ({ credential, ...slots }) => `credential edit ${quoted(credential)} --name ${named(slots)}`, {
    may: "credential rename move fromNow new",
    needs: "credential name",
  }),
  change(
    "rename|move",
    ({ selector, ...slots }) => `selector edit --selector ${quoted(selector)} --name ${named(slots)}`,
    {
      may: "selector rename move fromNow new",
      needs: "selector name",
    },
  ),
  change(
    "create|extend|save|end|detach|anymore|release|go|skip|need|move",
    ({ selector }) => `selector edit --selector ${quoted(selector)}`,
    {
      may: "selector off machine group keep keepUp up plan list",
      not: "warn rename",
      needs: "selector thing",
    },
  ),
  change("wording", ({ thing, ...slots }) => `exclusion edit ${thing} --reason ${named(slots)}`, {
    may: "move keep keepUp keepOff mine run end up need all",
    needs: "thing name",
    hasNoReason: true,
  }),
  change("wording", (slots) => `edit --reason ${named(slots)}`, {
    may: "move keep keepUp keepOff mine run end up need all",
    on: "exclusion",
    needs: "name",
    hasNoReason: true,
  }),
  change("undo", undone, {
    may: "change up next project rename keep end create what mine go done disable enable move all everything latest account",
    not: "approve deny withdraw",
    takes: "thing person time project action",
    isShown: true,
    hasNoReason: true,
  }),
  change("end|reset|release|off", ({ credential }) => `credential delete ${quoted(credential)}`, {
    may: "credential need anymore account go",
    needs: "credential",
  }),
  change("save", ({ thing, name }) => `group save ${name.replaceAll(" ", "-")} ${thing}`, {
    may: "group rename keep call create need all keepUp go move",
    needs: "thing name",
    hasNoReason: true,
  }),
];
