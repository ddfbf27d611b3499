import { type Answer, type CommandButton, isProblem, type Line, type Problem, resultButton } from "../answer.ts";
import { defineQuery, type QueryCommand, type QueryContext } from "../command.ts";
import { text } from "../field.ts";
import { policyList } from "../project.ts";
import { type Thing, thingsMeant } from "../thing.ts";
import { credentialList, planList, selectorList } from "./known-lists.ts";
import { userOperations } from "./may-see.ts";
import { statusOf } from "./status.ts";

/** Of what has no status, the list shows what is known. */
const lists: Readonly<Partial<Record<Thing["kind"], QueryCommand>>> = {
  credential: credentialList,
  plan: planList,
  policy: policyList,
  selector: selectorList,
};
const shown = 10;

export const find = defineQuery({
  words: "find",
  aliases: ["search", "search for", "look up", "look for"],
  title: "Find",
  summary: "Find anything by part of its name, and show its state",
  operation: null,
  onlyWithOneOf: ["ListActions", "GetManagedPolicy", ...userOperations],
  fields: {
    thing: text({
      label: "What",
      hint: "A part of a name, an id or an e-mail address",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
    }),
  },
  answer: async ({ thing: said }, context) => {
    if (/^(?:some|any)(?:one|body|thing)$/i.test(said))
      return { field: "thing", problem: "Who or what do you look for? Say a part of the name: “find alice”." };
    const things = await thingsMeant(said, context);
    if (isProblem(things)) return inLists(said, things, context);
    const [thing, ...others] = things;
    if (thing && others.length === 0) return oneThing(thing, context);
    return {
      title: `${things.length} things match “${said}”`,
      ...(things.length > shown ? { note: `The first ${shown}. More words find fewer.` } : {}),
      items: things.slice(0, shown).map(thingLine),
    };
  },
});

async function oneThing(thing: Thing, context: QueryContext): Promise<Answer | Problem> {
  const list = lists[thing.kind];
  return list && "id" in thing ? list.answer({ words: thing.id }, context) : statusOf(thing, context);
}

/** What only lists have, by a part of its name. */
async function inLists(said: string, otherwise: Problem, context: QueryContext): Promise<Answer | Problem> {
  const answers = await Promise.all(Object.values(lists).map((list) => list.answer({ words: said }, context)));
  const items = answers.flatMap((answer) => (isProblem(answer) ? [] : answer.items));
  if (items.length === 0) return otherwise;
  return { title: `${items.length} ${items.length === 1 ? "thing matches" : "things match"} “${said}”`, items };
}

function thingLine(thing: Thing): Line {
  const isGroup = thing.kind === "resources";
  const id = isGroup ? thing.name : thing.id;
  const ask = (label: string, words: string): CommandButton => resultButton(label, words, { thing: id });
  const history: CommandButton = resultButton("History", "history", { which: `${thing.kind} ${id}` });
  return {
    ...{ id, sign: "none", name: thing.name, parts: [isGroup ? "group" : thing.kind, ...(isGroup ? [] : [id])] },
    menu:
      thing.kind in lists
        ? [history]
        : [
            ask("Status", "status"),
            ...(thing.kind === "user" ? [] : [ask("What runs next", "next")]),
            ask("Why?", "why"),
          ],
  };
}
