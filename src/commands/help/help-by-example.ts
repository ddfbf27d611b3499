import type { Answer, CommandButton, CommandSelect } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { helpAbout } from "./help-about.ts";

interface Example {
  /** The command that its reader must be allowed to use. */
  readonly words: string;
  /** `<group>` stands for a group of theirs. */
  readonly lines: readonly string[];
  readonly means: string;
}

/** What people say most. */
const examples: readonly Example[] = [
  {
    words: "exclusion create",
    lines: ["keep <group> up until 8, the demo runs late", "<group> every tuesday 18-22"],
    means: "Keep something running past its schedule, once or again and again",
  },
  {
    words: "exclusion extend",
    lines: ["<group> 2 more hours", "end <group>"],
    means: "Let that last longer, or end it",
  },
  {
    words: "warn me",
    lines: ["skip tonight's stop of <group>", "warn me 20 min before <group> stops"],
    means: "Leave out one run, or hear of it before",
  },
  {
    words: "status",
    lines: ["what stops tonight?", "who keeps <group> up?", "why did <group> stop?"],
    means: "See what runs next, what is kept up, by whom and why",
  },
  {
    words: "user disable",
    lines: ["disable bob", "bob lost his phone, remove his mfa", "who has no mfa?"],
    means: "Help with an account",
  },
  { words: "approval list", lines: ["what waits for me?"], means: "See what waits for approval" },
  {
    words: "history",
    lines: ["what changed since monday?", "undo my last change"],
    means: "See what was done, and take your last change back",
  },
  { words: "whoami", lines: ["what may I do?"], means: "See what you may do" },
];

/** The subjects of all commands, each with a word that finds them. */
const subjects: CommandSelect["options"] = [
  { label: "Exclusions", value: "exclusion" },
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
  { label: "Keep something running", words: "exclusion create", opens: "form", input: {} },
  { label: "Find…", words: "find", opens: "form", input: {} },
];

const maxExamples = 6;
/** Where there is no group. */
const anyResource = "i-0a1";

/** A few lines to say, made of what this person may do here and of their own groups. The rest is behind a select. */
export function helpByExample({ help, settings }: QueryContext): Answer {
  const [group = anyResource] = Object.keys(settings.resourceGroups).filter((name) => !name.includes(" "));
  const [slashCommand = ""] = help[0]?.usage.split(" ") ?? [];
  const offered = examples.filter(({ words }) => help.some((command) => command.words === words));
  return {
    title: "Say it in your own words, like this",
    note: `With ${slashCommand}, a mention, a direct message or a reply to a card. Times are in your Slack time zone.`,
    items: offered.slice(0, maxExamples).map(({ lines, means }) => ({
      title: lines.map((line) => line.replaceAll("<group>", group)).join(" · "),
      facts: [{ label: "", value: means }],
    })),
    buttons: starts.filter(({ words }) => help.some((command) => command.words === words)),
    select: {
      ...{ words: "help", field: "about", input: {}, placeholder: "More…" },
      options: subjects.filter(({ value }) => value === "all" || helpAbout(value, help).length > 0),
    },
  };
}
