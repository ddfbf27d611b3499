import type { Holder } from "../permissions/policy.ts";
import { operationNames, operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import type { Person } from "./about-changes/about-changes.ts";
import {
  type Answer,
  type CommandButton,
  type CommandSelect,
  type Fact,
  formButton,
  isProblem,
  type Line,
  type LinePart,
  type Problem,
} from "./answer.ts";
import { defineQuery, type QueryContext, type Target } from "./command.ts";
import { configFacts } from "./config-state.ts";
import { exclusionTarget } from "./exclusion/exclusion-body.ts";
import { choice, length, person, text } from "./field.ts";
import { personNamed } from "./filter.ts";
import { placeOf } from "./lookup/runs.ts";
import type { CommandHelp, DecisionForOther, WhoMay } from "./query-ports.ts";
import { nearestNames, resolveThing, type Thing } from "./thing.ts";

const mostWords = 4;

const whoMay = defineQuery({
  words: "who may",
  title: "Who may do this",
  summary: "Show who may do something, and who must approve it",
  operation: null,
  fields: {
    what: text({
      label: "What",
      hint: "A command or operation, and perhaps a thing",
      example: "keep staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
    }),
    length: length({ label: "How long", hint: "For what is kept running", example: "8d", optional: true }),
  },
  answer: async ({ what, length: exclusionLengthMs }, context) => {
    if (/^(?:approve|deny|decide)\b/i.test(what)) return approvalsAnswer(context);
    const words = what.replace(/ for$/i, "").split(/\s+/).filter(Boolean);
    for (let length = Math.min(mostWords, words.length); length > 0; length--) {
      const phrase = words.slice(0, length).join(" ");
      if (!context.whoMay(phrase)) continue;
      const said = words.slice(length).filter(isNamed).join(" ");
      const thing = said === "" ? undefined : await resolveThing(said, context);
      if (thing && isProblem(thing)) return { ...thing, field: "what" };
      const facts = thing ? await targetOf(thing, context) : {};
      const found = context.whoMay(phrase, exclusionLengthMs ? { ...facts, exclusionLengthMs } : facts);
      const asked = { thing, exclusionLengthMs, isExclusion: isExclusion(phrase) };
      const shorter = exclusionLengthMs && asked.isExclusion ? (context.whoMay(phrase, facts)?.others ?? []) : [];
      if (found) return answerOf(found, { ...asked, shorter }, context);
    }
    return { field: "what", problem: `There is no command “${what}”. “help all” shows those you may use.` };
  },
});

/** "who may rename projects" is about none of them. */
const isNamed = (word: string): boolean =>
  !/^(?:an?|the|some|any|projects?|users?|accounts?|machines?|credentials?|selectors?|polic(?:y|ies)|people|holds?|somebody|someone)$/i.test(
    word,
  );

interface Asked {
  readonly thing: Thing | undefined;
  readonly exclusionLengthMs: number | undefined;
  readonly isExclusion: boolean;
  /** Others who may hold things, also those who may not for so long. */
  readonly shorter: WhoMay["others"];
}

const isExclusion = (phrase: string): boolean =>
  /^(?:excl|extend|keep|repeat|CreateActionE|ModifyActionE)/i.test(phrase);

/** "You may keep machines running or off, for web, within limits" */
function answerOf(found: WhoMay, asked: Asked, { settings }: QueryContext): Answer {
  const { act, isForAll, whyNot, limits, approvers } = found;
  const { thing, exclusionLengthMs: ms, isExclusion: holds, shorter } = asked;
  const longest = settings.exclusions.maxLengthMs;
  const what = `${act}${thing ? `, for ${thing.name}` : ""}${ms ? ` for ${formatDuration(ms)}` : ""}`;
  const most = `Nobody may hold anything for more than ${formatDuration(longest)}`;
  if (holds && ms && ms > longest) return { title: most, items: [] };
  const how = whyNot
    ? []
    : [...(limits.length > 0 ? ["within limits"] : []), ...withApproval(approvers.map(({ role }) => role))];
  return {
    title: [`${isForAll ? "Everybody may" : whyNot ? "You may not" : "You may"} ${what}`, ...how].join(", "),
    note: [
      "Of those who aren't shown, nobody may.",
      ...(holds ? [`${most}.`] : []),
      ...(approvers.length > 0 ? [notOwn] : []),
      "“whoami” shows your roles.",
    ].join(" "),
    items: [
      ...linesOf(found),
      ...shorter.filter(({ role }) => found.others.every((holder) => holder.role !== role)).map(holderLine),
    ],
  };
}

const notOwn = "Nobody approves what they asked for themselves.";

const withApproval = (roles: readonly string[]): readonly string[] =>
  roles.length === 0 ? [] : [`with the approval of ${roles.join(" or ")}`];

const changing = operationNames.filter((name) => operations[name].effect !== "read");

/** What takes an approval, and whose. */
function approvalsAnswer(context: QueryContext): Answer {
  const guarded = changing.flatMap((name) => {
    const found = context.whoMay(name);
    return found && found.approvers.length > 0 ? [{ name, approvers: found.approvers }] : [];
  });
  const title =
    guarded.length === 1 ? "1 kind of change takes an approval" : `${guarded.length} kinds of changes take an approval`;
  return {
    title: guarded.length === 0 ? "Nothing here takes an approval" : title,
    note: `${notOwn} “who may” shows who allows more than your limits.`,
    items: guarded.map(({ name, approvers }) =>
      line(
        name,
        operations[name].summary,
        approvers.flatMap((holder) => [holder.role, ...people(holder)]),
      ),
    ),
  };
}

const rights = defineQuery({
  words: "rights",
  aliases: ["my rights", "what may <person> do", "what can <person> do"],
  title: "What somebody may do",
  summary: "Show what I may do here, or somebody else",
  operation: null,
  fields: {
    person: text({
      label: "Person",
      hint: "A mention, or the name of somebody who asked for a change; you without it",
      maxLength: 100,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
  },
  answer: async ({ person: said = "me" }, context) => {
    const isMe = /^(?:me|i|my|mine)$/i.test(said);
    if (!isMe && context.roles.length === 0)
      return { problem: "You have no role here, so you can ask about yourself only." };
    const person = isMe ? context.actor : await personNamed(said, context);
    if (!person) return { field: "person", problem: `Curfew knows no “${said}” who asked for a change. Mention them.` };
    return isProblem(person) ? person : rightsOf(person, context);
  },
});

async function rightsOf({ userId, name }: Person, context: QueryContext): Promise<Answer> {
  const decisions = await Promise.all(
    operationNames.map(async (operation) => ({ operation, found: await context.decisionFor(userId, operation) })),
  );
  const may = decisions.filter(({ found }) => found?.isOffered);
  const acts = may.filter(({ operation }) => changing.includes(operation));
  const who = userId === context.actor.userId ? "You" : name;
  const changes = acts.length === 0 ? "change nothing" : `make ${acts.length} of ${changing.length} kinds of changes`;
  return {
    title:
      may.length === 0
        ? `${who} ${who === "You" ? "have" : "has"} no rights here`
        : `${who} may look things up here, and ${changes}`,
    note: `Roles: ${decisions[0]?.found?.roles.join(", ") || "none"}. “who may keep” shows who else may.`,
    items: acts.map(({ operation, found }) =>
      line(operation, operations[operation].summary, [
        ...(found?.limits ?? []),
        ...withApproval(found?.approval?.approvers ?? []),
        ...(found?.mayAsk ? [`may ask ${found.mayAsk.join(" or ")} for more`] : []),
      ]),
    ),
  };
}

/** Empty for what is in no project. */
async function targetOf(thing: Thing, context: QueryContext): Promise<Target> {
  switch (thing.kind) {
    case "resources": {
      const { project, type } = await placeOf(thing, context);
      return { projectId: project, resourceType: type, resourceIds: thing.ids };
    }
    case "project":
      return { projectId: thing.id };
    case "action":
      return { projectId: thing.action.projectId ?? undefined };
    case "exclusion":
      return exclusionTarget(thing.exclusion);
    default:
      return {};
  }
}

function linesOf({ isForAll, whyNot, limits, mayAsk, others, approvers }: WhoMay): readonly Line[] {
  if (isForAll) return [line("everybody", "Everybody", ["every full member of this workspace"])];
  const you = whyNot ?? (limits.length > 0 ? "may, within limits" : "may");
  return [
    line("you", "You", [you, ...limits, ...(mayAsk.length > 0 ? [`may ask ${mayAsk.join(" or ")} for more`] : [])]),
    ...others.map(holderLine),
    ...approvers.map((holder) => line(`approver ${holder.role}`, `Approval by ${holder.role}`, people(holder))),
  ];
}

const holderLine = (holder: WhoMay["others"][number]): Line =>
  line(`role ${holder.role}`, holder.role, [...people(holder), ...holder.limits.map((limit) => `only ${limit}`)]);

const line = (id: string, name: string, parts: readonly LinePart[]): Line => ({
  ...{ id, sign: "none", name, parts, menu: [] },
});

const shownPeople = 10;

function people({ members }: Holder): readonly LinePart[] {
  const more = members.length - shownPeople;
  return [...members.slice(0, shownPeople).map((person) => ({ person })), ...(more > 0 ? [`${more} more`] : [])];
}

const can = defineQuery({
  words: "can",
  title: "Who may do what",
  summary: "Show whether somebody may do something here, and the rule behind it",
  operation: null,
  isForAdmins: true,
  fields: {
    person: person({ label: "Person", positional: true }),
    operation: choice(
      operationNames.map((name) => ({ value: name, label: name })),
      { label: "Operation", positional: true },
    ),
  },
  answer: async ({ person: id, operation }, context) => {
    const found = await context.decisionFor(id, operation);
    if (!found) return { problem: `Curfew couldn't look up ${id} in Slack. Check the name, or try again.` };
    return {
      title: `${found.actor.name} ${verdict(found)}: ${operations[operation].summary}`,
      items: [{ title: "", facts: [{ label: "Operation", value: operation }, ...decisionFacts(found)] }],
    };
  },
});

function verdict(found: DecisionForOther): string {
  const { decision, isOffered, approval } = found;
  if (decision.kind === "denied" && !isOffered) return "may not do this here";
  const limits = found.limits.length > 0 ? ", within limits" : "";
  return `may do this here${limits}${approval ? `, with the approval of ${approval.approvers.join(" or ")}` : ""}`;
}

function decisionFacts(found: DecisionForOther): readonly Fact[] {
  const { actor, roles, decision, limits, isOffered, mayAsk, approval } = found;
  const why = decision.kind === "denied" && !isOffered ? [{ label: "Why", value: decision.reason }] : [];
  return [
    { label: "Rule", value: decision.rule },
    ...why,
    ...limits.flatMap(pieces).map((value) => ({ label: "Limit", value })),
    ...(mayAsk ? [{ label: "For more, may ask", value: { list: mayAsk } }] : []),
    ...(approval ? [{ label: "Approval by", value: approval.rule }] : []),
    { label: "Roles", value: roles.length ? { list: roles } : "none" },
    { label: "Membership", value: memberships[actor.membership] },
  ];
}

/** The length of a fact. A longer limit is split, so that all of its names are shown. */
const maxFactLength = 250;

const pieces = (limit: string): readonly string[] =>
  limit.match(new RegExp(`.{1,${maxFactLength}}(?= |$)|\\S{1,${maxFactLength}}`, "g"))?.map((piece) => piece.trim()) ??
  [];

const memberships = {
  member: "full member",
  guest: "guest",
  bot: "bot",
  deleted: "deactivated",
  external: "from another organization",
} as const;

const whoami = defineQuery({
  words: "whoami",
  title: "Who am I",
  summary: "Show my roles, what I may do here, and my service user",
  operation: null,
  fields: {},
  answer: async (_input, { actor, roles, help, directory, whoMay: rightsOf, config, personIn }) => {
    const holding = rightsOf("exclude");
    const limits = holding && !holding.whyNot ? holding.limits : [];
    const linked = actor.email ? await directory.match("user", actor.email) : [];
    const facts: Fact[] = [
      { label: "Roles", value: roles.length ? { list: roles } : "none" },
      { label: "May do here", value: `${help.length} commands: “help all” lists them` },
      ...limits.flatMap(pieces).map((value) => ({ label: "Limit", value })),
      ...(limits.length > 0 && holding?.mayAsk.length
        ? [{ label: "For more, may ask", value: { list: holding.mayAsk } }]
        : []),
      {
        label: "Service user",
        value: linked.map((user) => `${user.name ?? user.id} (${user.id})`).join(", ") || "not known",
      },
      { label: "Time zone", value: actor.timeZone },
      ...(config ? await configFacts(config, async (id) => (await personIn(id))?.name ?? id) : []),
    ];
    return { title: actor.name, items: [{ title: "", facts }] };
  },
});

const help = defineQuery({
  words: "help",
  title: "Help",
  summary: "Show what I may do here",
  operation: null,
  fields: {
    about: text({
      label: "About",
      hint: "Any words, for example mfa",
      maxLength: 100,
      positional: "rest",
      optional: true,
    }),
  },
  answer: async ({ about }, context) => {
    if (about === undefined) return helpByExample(context);
    const isAll = everything.has(about.toLowerCase());
    // Who reads it knows how to ask for help.
    const shown = isAll ? context.help.filter(({ words }) => words !== "help") : helpAbout(about, context.help);
    if (shown.length === 0) return noHelp(about, context.help);
    return {
      title: isAll ? "What you may do here" : `What you may do here about “${about}”`,
      note: "An incomplete line opens a form.",
      // Of several an example says more; “help keep” shows what else may be said.
      items: shown.map(({ usage, example, summary }) =>
        shown.length > 1
          ? { title: example, facts: [{ label: "", value: summary }] }
          : {
              title: usage,
              facts: [
                { label: "", value: summary },
                ...(example === usage ? [] : [{ label: "Example", value: example }]),
              ],
            },
      ),
    };
  },
});

const everything: ReadonlySet<string> = new Set(["all", "everything", "all commands"]);

function noHelp(about: string, help: readonly CommandHelp[]): Problem {
  const near = nearestHelp(about, help);
  const hint = near.length > 0 ? ` Did you mean ${near.map((word) => `“${word}”`).join(" or ")}?` : "";
  return {
    problem: `There is no command about “${about}” that you may use here.${hint} “help all” shows those you may use.`,
  };
}

export const accessCommands = [can, whoMay, rights, whoami, help] as const;

/** What people say most: the command that its reader must be allowed to use, a line for it, and what that means. */
const examples: readonly (readonly (readonly [string, string, string?])[])[] = [
  [
    ["exclusion create", "keep <group> up until 8, the demo runs late", "keep something running"],
    ["exclusion repeat", "<group> every tuesday 18-22"],
  ],
  [
    ["exclusion extend", "<group> 2 more hours", "longer"],
    ["exclusion end", "end <group>", "no more"],
  ],
  [
    ["skip", "skip tonight's stop of <group>", "skip one run"],
    ["warn me", "warn me 20 min before <group> stops", "hear of it before"],
  ],
  [
    ["next", "what stops tonight?", "see what runs next, and why"],
    ["exclusion list", "who keeps <group> up?"],
    ["why", "why did <group> stop?"],
  ],
  [
    ["user disable", "disable bob", "help with an account"],
    ["user remove-mfa", "bob lost his phone, remove his mfa"],
    ["user list", "who has no mfa?"],
  ],
  [["approval list", "what waits for me?", "see what waits for approval"]],
  [
    ["history", "what changed since monday?", "see what was done"],
    ["undo", "undo my last change", "undo it"],
  ],
  [["whoami", "what may I do?", "see what you may do"]],
];

/** The subjects of all commands, each with a word that finds them. */
const subjects: CommandSelect["options"] = [
  { label: "Keeping things running", value: "keep" },
  { label: "Accounts", value: "user" },
  { label: "Plans", value: "plan" },
  { label: "Credentials", value: "credential" },
  { label: "Groups", value: "group" },
  { label: "Projects", value: "project" },
  { label: "Actions", value: "action" },
  { label: "History", value: "history" },
  { label: "Approvals", value: "approval" },
  { label: "All commands", value: "all" },
];

const starts: readonly CommandButton[] = [
  formButton("Keep something running", "exclusion create"),
  formButton("Find…", "find"),
];

const maxExamples = 6;
/** Where there is no group. */
const anyResource = "i-0a1";

/** A few lines to say, made of what this person may do here and of their own groups. The rest is behind a select. */
function helpByExample({ help, settings, whoMay: rightsOf }: QueryContext): Answer {
  const [group = anyResource] = Object.keys(settings.resourceGroups).filter((name) => !name.includes(" "));
  const [slashCommand = ""] = help[0]?.usage.split(" ") ?? [];
  // Everybody may ask to undo, but only who may change something has what can be undone.
  const isReader = changing.every((name) => rightsOf(name)?.whyNot !== undefined);
  const mayUse = (words: string) => help.some((each) => each.words === words) && !(words === "undo" && isReader);
  const offered = examples.map((each) => each.filter(([words]) => mayUse(words))).filter((each) => each.length > 0);
  return {
    title: "Say it in your own words, like this",
    note: `With ${slashCommand}, a mention or a direct message.`,
    items: offered.slice(0, maxExamples).map((each) => ({
      title: each.map(([, line]) => line.replaceAll("<group>", group)).join(" · "),
      facts: [{ label: "", value: sentence(each.flatMap(([, , means]) => means ?? []).join(", or ")) }],
    })),
    buttons: starts.filter(({ words }) => help.some((command) => command.words === words)),
    select: {
      ...{ words: "help", field: "about", input: {}, placeholder: "More…" },
      options: subjects.filter(({ value }) => value === "all" || helpAbout(value, help).length > 0),
    },
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Words that say nothing about what is asked for. */
const fillers: ReadonlySet<string> = new Set(
  "a about an and do does for how i in is me my of on please the to what with".split(" "),
);
const shortestPrefix = 3;

/** The commands with the most of these words among their words, aliases and summary; none if no command has any. */
function helpAbout(text: string, help: readonly CommandHelp[]): readonly CommandHelp[] {
  const asked = wordsIn(text).filter((word) => !fillers.has(word));
  if (asked.length === 0) return help;
  const counted = help.map((command) => {
    const words = wordsOf(command);
    return { command, count: asked.filter((word) => words.some((each) => isForm(each, word))).length };
  });
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ command }) => command);
}

/** The words of help that a mistyped one may mean. */
function nearestHelp(text: string, help: readonly CommandHelp[]): readonly string[] {
  return nearestNames(text, help.flatMap(wordsOf));
}

const wordsOf = ({ names, summary }: CommandHelp): readonly string[] => wordsIn([...names, summary].join(" "));

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** "exclusion" for "exclusions", and the reverse. */
function isForm(word: string, asked: string): boolean {
  if (word === asked) return true;
  const isLong = Math.min(word.length, asked.length) >= shortestPrefix;
  return isLong && (word.startsWith(asked) || asked.startsWith(word));
}
