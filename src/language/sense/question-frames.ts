import { asked, type Frame, oneOf, question, quoted, running, type Slots } from "./frame.ts";
import {
  exclusionsOf,
  helpOn,
  historyOf,
  isBehind,
  mayWho,
  ownOrAll,
  rightsOf,
  runsOf,
  upOf,
  usersOf,
  whyOf,
} from "./question-lines.ts";

/** What any question may hold beside what it is about. */
const any = `${asked} eta record owned others timetable mine user machine`;
const ofRun = `${asked} eta others timetable machine`;
const ofOwn = { when: ({ isOwn }: Pick<Slots, "isOwn">) => isOwn };
/** What a question how something is done may be about. */
const acts =
  "extend shorten skip warn mute disable enable unlock mfa email offboard detach policy rename project approve deny withdraw undo group save selector credential series request budget holiday before";
const states = "keep keepUp keepOff up off done end need";

/** What is up at a moment. */
const ofStates: readonly Frame[] = [
  question(
    "up what|list|all|everything|howMuch|any",
    upOf,
    `thing? project? time? | ${asked} run up keep keepUp machine group still off go others | who why when howLong next stop start turnOff turnOn backup mfa account series project plan budget allowed mine owned`,
  ),
  question(
    "up",
    ({ thing, span, past }) => `running ${thing} ${span || past}`,
    `thing time | ${asked} run up keep keepUp machine group still go | who why when howLong next stop start turnOff turnOn backup mfa account series plan budget allowed warn change`,
    { when: ({ span, past }) => /^(?!now$|today$|until|till?|for )./i.test(span || past) },
  ),
];

/** Why, when and by whom. */
const ofRuns: readonly Frame[] = [
  question(
    "why",
    whyOf,
    `thing time? | ${any} ${running} keep keepUp keepOff change extend move need warn anymore end release done`,
  ),
  question(
    "why",
    ({ action }) => `why ${quoted(action)}`,
    `action time? | ${any} ${running} keep keepUp change extend move need warn anymore`,
  ),
  question(
    "who|when|why disable|enable|unlock|mfa|offboard|email|rename|reset|turnOff|off|turnOn",
    "user {person}",
    `person time? | ${any} account change done phone stop`,
  ),
  question(
    `${oneOf(running)} when|what|next|list|run|holiday|backup|stop|turnOff|start|turnOn|lacking|why`,
    runsOf,
    `thing? action? time? | ${ofRun} ${running} group action holiday keep before | mfa account who howLong owned record`,
    { when: ({ senses, dayOff, thing, action }) => !senses.has("holiday") || dayOff !== "" || thing + action !== "" },
  ),
  question(
    oneOf(running),
    ({ action, span, isOver }) => (isOver && !isBehind(span) ? `status ${quoted(action)}` : `next ${action} ${span}`),
    `action time? thing? | ${ofRun} ${running} group action keep keepUp need`,
  ),
  question(
    "timetable",
    ({ thing, action }) => (action ? `status ${quoted(action)}` : thing ? `why ${thing}` : "actions"),
    `thing? action? time? | ${any} ${running} action budget group | who keep keepUp`,
  ),
];

/** What waits, who may, and what was done. */
const ofChanges: readonly Frame[] = [
  question(
    "wait|request|approve|decision",
    "approvals",
    `person? time? | ${any} approve need mfa reset request wait deny done next change run account login phone unlock decision off detach go up`,
  ),
  question("mine mfa|phone", "approvals", `time? | ${any} ${states} reset detach account login mfa go | who`, ofOwn),
  question(
    "allowed keepUp|keepOff|keep|extend|end|stop|start|up|disable|enable|unlock|mfa|approve|decision|email|rename|offboard|detach",
    mayWho,
    `thing? person? time? project? policy? | ${any} ${running} ${states} allowed create change reset request before account decision howLong extend release series | list`,
  ),
  question("allowed who", mayWho, `thing time? person? project? | ${any} ${states} allowed go`),
  question(
    "allowed",
    rightsOf,
    `thing? person? time? | ${any} ${running} need approve allowed create change reset mfa keep keepUp unlock disable enable wait request decision`,
  ),
  question(
    "budget",
    ({ project, person, thing, isOwn }) => `budget ${project || thing || person || (isOwn ? "mine" : "")}`,
    `thing? person? time? project? | ${any} keep keepUp run warn allowed project extend price up go budget wait done | change record`,
  ),
  question(
    "change|move|record",
    historyOf,
    `thing? person? time? project? action? plan? credential? | ${any} ${running} action keep group account done next rename undo disable enable unlock mfa offboard email reset request change move detach end series plan credential | howLong`,
  ),
  question(
    "mfa|disable|enable|unlock|offboard|rename|email howMuch|who|what|list|record|change|when",
    historyOf,
    `time person? project? | ${any} ${states} mfa account unlock disable enable offboard rename reset detach email phone change go project`,
  ),
];

/** What there is. */
const lists: readonly Frame[] = [
  question(
    "holiday",
    ({ dayOff, span }) => `holidays ${dayOff || span}`,
    `time? | ${any} ${running} holiday before work`,
  ),
  question("warn", "warnings", `thing? person? | ${any} ${running} group keep before request up owned change move`),
  question("mine what|list|status", "mine", " | what list status all everything timetable | warn", ofOwn),
  question("owned", "mine", `time? | ${any} ${running} ${states} change wait request series | warn`),
  question(
    `${oneOf("who|list|what|user|account")} mfa|disable|enable|account|user|lacking`,
    usersOf,
    `policy? | ${any} mfa disable enable account off up create policy email lacking login phone | keep keepUp howLong allowed`,
  ),
  question(
    "who|list|user|account policy|user|account|what|keep|list|who",
    usersOf,
    `policy | ${any} account policy keep attach`,
  ),
  question(
    "mine run|up|next|keep|keepUp|series|wait|go",
    ownOrAll,
    `time? | ${any} ${running} keep keepUp series change | others change record`,
  ),
  question(
    "keep|keepUp|keepOff|others",
    exclusionsOf,
    `time? person? thing? | ${any} ${running} ${states} group series change action | change record`,
  ),
  question("series", exclusionsOf, `time? person? | ${any} ${running} keep keepUp series | record`),
  question("plan", "plans", ` | ${any} keep keepUp run up wait request`),
  question("selector", "selectors", ` | ${any} keep keepUp run up plan need`),
  question("project", "projects", ` | ${any} keep keepUp up run`),
  question("policy", "policies", ` | ${any} keep keepUp up`),
  question("credential", "credentials", ` | ${any} keep keepUp up request run wait done off`),
  question("group", "groups", ` | ${any} keep up lacking off`),
  question("action", "actions", ` | ${any} run`),
];

/** What somebody wants to know of a thing that they name. */
const ofThings: readonly Frame[] = [
  question(
    `keep|keepUp|keepOff|${oneOf(asked)}|up|off|stop|run|release|end|done|start`,
    "status {thing}",
    `thing time? | ${any} ${running} ${states} group extend change move anymore release series action project plan selector warn mfa`,
  ),
  question("list", "action show {action}", "action | what action"),
  ...(["plan", "selector", "credential"] as const).map((kind) =>
    question(
      `${kind}|status|what|list|who|change`,
      (slots) => `status ${quoted(slots[kind])}`,
      `${kind} plan? | ${any} plan selector credential group run project change need up`,
    ),
  ),
  question(
    "who|what|list|policy|status",
    ({ policy, person }) => (person ? `user ${person}` : `policy show ${quoted(policy)}`),
    `policy person? | ${any} policy account keep`,
  ),
  question(
    "account|enable|disable|mfa|login|email|policy|unlock|phone|off|up|who|what|list|status|why",
    "user {person}",
    `person time? | ${any} ${states} account enable disable mfa login email policy reset phone unlock run change go request offboard`,
  ),
];

/** Where nothing else is understood: what is named. */
const named: readonly Frame[] = [
  question(
    "off",
    ({ span }) => `holidays ${span}`,
    `time | ${asked} done | list what who machine all group everything howLong`,
  ),
  question("machine what|list|all|howMuch|everything", "groups", ` | ${asked} keep`),
  question("", ({ action, span }) => `next ${action} ${span}`, "action time"),
  question("", ({ thing, past }) => `running ${thing} ${past}`, "thing time", {
    when: ({ isOver, past }) => isOver && isBehind(past),
  }),
  question("", "status {thing}", "thing"),
  question("", ({ credential }) => `status ${quoted(credential)}`, "credential"),
  question("", ({ action }) => `status ${quoted(action)}`, "action"),
  question("", "user {person}", "person"),
];

export const questions: readonly Frame[] = [
  question("help", helpOn, `thing? time? person? policy? | ${any} ${running} ${states} allowed ${acts}`),
  question("who_am_i", "whoami"),
  question(
    "rename|attach who|when|howLong|change",
    historyOf,
    `project? time? person? credential? policy? | ${any} project change done policy account request`,
    { when: ({ isNow, isOver }) => isOver || !isNow },
  ),
  // "who disabled accounts last week" is about what was done.
  question("who disable|enable|unlock|mfa|offboard|email|rename", historyOf, `time? | ${any} account change done`, {
    when: ({ isByWhom, person }) => isByWhom && person === "",
  }),
  ...ofStates,
  ...ofRuns,
  ...ofChanges,
  ...lists,
  ...ofThings,
  ...named,
];
