import { asked, type Frame, oneOf, question, quoted, running } from "./frame.ts";
import {
  exclusionsOf,
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
const states = "keep keepUp keepOff up off done end need";

/** What is up at a moment. */
const ofStates: readonly Frame[] = [
  question("up what|list|all|everything|howMuch|any", upOf, {
    may: `${asked} run up keep keepUp machine group still off go others`,
    not: "who why when howLong next stop start turnOff turnOn backup mfa account series project plan budget allowed mine owned",
    takes: "thing project time",
  }),
  question("up", ({ thing, span, past }) => `running ${thing} ${span || past}`, {
    may: `${asked} run up keep keepUp machine group still go`,
    not: "who why when howLong next stop start turnOff turnOn backup mfa account series plan budget allowed warn change",
    needs: "thing time",
    when: ({ span, past }) => /^(?!now$|today$|until|till?|for )./i.test(span || past),
  }),
];

/** Why, when and by whom. */
const ofRuns: readonly Frame[] = [
  question("why", whyOf, {
    may: `${any} ${running} keep keepUp keepOff change extend move need warn anymore end release done`,
    needs: "thing",
    takes: "time",
  }),
  question("why", ({ action, span }) => (isBehind(span) ? `next ${action} ${span}` : `why ${quoted(action)}`), {
    may: `${any} ${running} keep keepUp change extend move need warn anymore`,
    needs: "action",
    takes: "time",
  }),
  question("who|when|why disable|enable|unlock|mfa|offboard|email|rename|reset|turnOff|off|turnOn", "user {person}", {
    may: `${any} account change done phone stop`,
    needs: "person",
    takes: "time",
  }),
  question(`${oneOf(running)} when|what|next|list|run|holiday|backup|stop|turnOff|start|turnOn|lacking|why`, runsOf, {
    may: `${ofRun} ${running} group action holiday keep`,
    not: "mfa account who howLong owned record",
    takes: "thing action time",
  }),
  question(
    oneOf(running),
    ({ action, span, isOver }) => (isOver && !isBehind(span) ? `status ${quoted(action)}` : `next ${action} ${span}`),
    {
      may: `${ofRun} ${running} group action keep keepUp need`,
      needs: "action",
      takes: "time thing",
    },
  ),
  question(
    "timetable",
    ({ thing, action }) => (action ? `status ${quoted(action)}` : thing ? `why ${thing}` : "actions"),
    {
      may: `${any} ${running} action budget group`,
      not: "who keep keepUp",
      takes: "thing action time",
    },
  ),
];

/** What waits, who may, and what was done. */
const ofChanges: readonly Frame[] = [
  question("wait|request|approve|decision", "approvals", {
    may: `${any} approve need mfa reset request wait deny done next change run account login phone unlock decision off detach go up`,
    takes: "person time",
  }),
  question("mine mfa|phone", "approvals", {
    may: `${any} ${states} reset detach account login mfa go`,
    not: "who",
    takes: "time",
  }),
  question(
    "allowed keepUp|keepOff|keep|extend|end|stop|start|up|disable|enable|unlock|mfa|approve|decision|email|rename|offboard|detach",
    mayWho,
    {
      may: `${any} ${running} ${states} allowed create change reset request before account decision howLong extend release series`,
      not: "list",
      takes: "thing person time project policy",
    },
  ),
  question("allowed who", mayWho, { may: `${any} ${states} allowed go`, needs: "thing", takes: "time person project" }),
  question("allowed", rightsOf, {
    may: `${any} ${running} need approve allowed create change reset mfa keep keepUp unlock disable enable wait request decision`,
    takes: "thing person time",
  }),
  question(
    "budget",
    ({ project, person, thing, isOwn }) => `budget ${project || thing || person || (isOwn ? "mine" : "")}`,
    {
      may: `${any} keep keepUp run warn allowed project extend price up go budget wait done`,
      not: "change record",
      takes: "thing person time project",
    },
  ),
  question("change|move|record", historyOf, {
    may: `${any} ${running} action keep group account done next rename undo disable enable unlock mfa offboard email reset request change move detach end series plan credential`,
    not: "howLong",
    takes: "thing person time project action plan credential",
  }),
  question("mfa|disable|enable|unlock|offboard|rename|email howMuch|who|what|list|record|change|when", historyOf, {
    may: `${any} ${states} mfa account unlock disable enable offboard rename reset detach email phone change go project`,
    needs: "time",
    takes: "person project",
  }),
];

/** What there is. */
const lists: readonly Frame[] = [
  question("holiday", "holidays", { may: `${any} next off`, takes: "time" }),
  question("warn", "warnings", { may: `${any} group stop keep before`, not: "owned", takes: "thing" }),
  question("owned", "mine", {
    may: `${any} ${running} ${states} warn change wait request series`,
    takes: "time",
  }),
  question(`${oneOf("who|list|what|user|account")} mfa|disable|enable|account|user|lacking`, usersOf, {
    may: `${any} mfa disable enable account off up create policy email lacking login phone`,
    not: "keep keepUp howLong allowed",
    takes: "policy",
  }),
  question("who|list|user|account policy|user|account|what|keep|list|who", usersOf, {
    may: `${any} account policy keep attach`,
    needs: "policy",
  }),
  question("mine run|up|next|keep|keepUp|series|wait|go", ownOrAll, {
    may: `${any} ${running} keep keepUp series change`,
    not: "others change record",
    takes: "time",
  }),
  question("keep|keepUp|keepOff|others", exclusionsOf, {
    not: "change record",
    may: `${any} ${running} ${states} group series change action`,
    takes: "time person thing",
  }),
  question("series", exclusionsOf, {
    may: `${any} ${running} keep keepUp series`,
    not: "record",
    takes: "time person",
  }),
  question("plan", "plans", { may: `${any} keep run up wait request` }),
  question("selector", "selectors", { may: `${any} keep run up plan need` }),
  question("project", "projects", { may: `${any} keep up run` }),
  question("policy", "policies", { may: `${any} keep up` }),
  question("credential", "credentials", { may: `${any} keep up request run wait done off` }),
  question("group", "groups", { may: `${any} keep up lacking off` }),
  question("action", "actions", { may: `${any} run` }),
];

/** What somebody wants to know of a thing that they name. */
const ofThings: readonly Frame[] = [
  question(`keep|keepUp|keepOff|${oneOf(asked)}|up|off|stop|run|release|end|done|start`, "status {thing}", {
    may: `${any} ${running} ${states} group extend change move anymore release series action project plan selector warn mfa`,
    needs: "thing",
    takes: "time",
  }),
  question("list", "action show {action}", { may: "what action", needs: "action" }),
  question("plan|status|what|list|change", ({ plan }) => `status ${quoted(plan)}`, {
    may: `${any} plan selector group run project change`,
    needs: "plan",
  }),
  question("selector|what|list|status", ({ selector }) => `status ${quoted(selector)}`, {
    may: `${any} plan selector group`,
    needs: "selector",
    takes: "plan",
  }),
  question("credential|what|list|status|who", ({ credential }) => `status ${quoted(credential)}`, {
    may: `${any} credential need up`,
    needs: "credential",
  }),
  question(
    "who|what|list|policy|status",
    ({ policy, person }) => (person ? `user ${person}` : `policy show ${quoted(policy)}`),
    { may: `${any} policy account keep`, needs: "policy", takes: "person" },
  ),
  question(
    "account|enable|disable|mfa|login|email|policy|unlock|phone|off|up|who|what|list|status|why",
    "user {person}",
    {
      may: `${any} ${states} account enable disable mfa login email policy reset phone unlock run change go request offboard`,
      needs: "person",
      takes: "time",
    },
  ),
];

/** Where nothing else is understood: what is named. */
const named: readonly Frame[] = [
  question("", "status {thing}", { needs: "thing" }),
  question("", ({ credential }) => `status ${quoted(credential)}`, { needs: "credential" }),
  question("", ({ plan }) => `status ${quoted(plan)}`, { needs: "plan" }),
  question("", ({ action }) => `status ${quoted(action)}`, { needs: "action" }),
  question("", "user {person}", { needs: "person" }),
];

export const questions: readonly Frame[] = [
  question("help", "help", { may: `${any} allowed` }),
  question("who_am_i", "whoami"),
  ...ofStates,
  ...ofRuns,
  ...ofChanges,
  ...lists,
  ...ofThings,
  ...named,
];
