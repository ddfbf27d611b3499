import type { CommandReply } from "../support/journey.ts";
import type { Entries } from "./fill-in.ts";

/** What an earlier command made; empty ids without one. */
export type Earlier = Pick<CommandReply, "changeId" | "exclusionId">;

/** One command's form: who opens it with which line, the entries, and the expected answer. */
export interface FormJourney {
  readonly words: string;
  readonly by: string;
  /** An earlier command, whose change and exclusion the line and the entries can name. */
  readonly first?: { readonly by: string; readonly line: string };
  readonly line: (earlier: Earlier) => string;
  readonly entries: (earlier: Earlier) => Entries;
  readonly answer: string;
  /** What the change's details show beyond the answer. */
  readonly details?: string;
}

const exclusionCreated = { by: "alice", line: 'exclude i-0a1 for 2h --another --name "Nightly run"' };
const settledChange = { by: "alice", line: "exclude i-0a8 for 1h --project p-dev --another" };
const noEntries = (): Entries => ({});

export const formJourneys: readonly FormJourney[] = [
  {
    words: "exclusion create",
    by: "alice",
    line: () => "exclude",
    entries: () => ({
      What: "i-0a2, i-0a3",
      Why: "the demo is at eight",
    }),
    answer: "Keeping i-0a2, i-0a3 running",
  },
  {
    words: "exclusion repeat",
    by: "alice",
    line: () => "exclusion repeat",
    entries: () => ({ What: "i-0a2", Every: "weekday 18:00-20:00 for 2 weeks", Why: "rehearsals" }),
    answer: "You plan to keep i-0a2 running every weekday 18:00–20:00",
  },
  {
    words: "skip",
    by: "alice",
    line: () => "skip",
    entries: () => ({ "Group or action": "staging", Reason: "the demo is at eight" }),
    answer: "Keeping staging running until ",
  },
  {
    words: "exclusion extend",
    by: "alice",
    first: exclusionCreated,
    line: ({ exclusionId }) => `exclusion extend ${exclusionId}`,
    entries: noEntries,
    answer: "Now until ",
  },
  {
    words: "exclusion edit",
    by: "alice",
    first: { by: "alice", line: 'exclude i-0a1 for 2h --another --name "Yearly run"' },
    line: () => "exclusion edit",
    entries: () => ({
      What: "Yearly run — until today…",
      Name: "Weekly run",
      Effect: "Keep off",
      Enabled: "No",
    }),
    answer: "You changed “Yearly run”",
    details: "Yearly run → Weekly run",
  },
  {
    words: "exclusion end",
    by: "alice",
    first: { by: "alice", line: 'exclude i-0a1 for 2h --another --name "Last run"' },
    line: () => "exclusion end",
    entries: () => ({ What: "Last run — until today…", Reason: "no longer needed" }),
    answer: "You stopped keeping ",
  },
  {
    words: "find",
    by: "alice",
    line: () => "find",
    entries: () => ({ What: "p-dev" }),
    answer: "Development: ",
  },
  {
    words: "why",
    by: "alice",
    first: exclusionCreated,
    line: () => "why",
    entries: () => ({ Thing: "staging" }),
    answer: "Nightly run",
  },
  {
    words: "warn me",
    by: "alice",
    line: () => "warn me",
    entries: () => ({ Group: "staging" }),
    answer: "staging",
  },
  {
    words: "stop warning me",
    by: "alice",
    line: () => "stop warning me",
    entries: () => ({ Group: "staging" }),
    answer: "staging",
  },
  {
    words: "user show",
    by: "carol",
    line: () => "user show",
    entries: () => ({ User: "dave (u-00000004)" }),
    answer: "dave@example.",
  },
  {
    words: "user enable",
    by: "carol",
    line: () => "user enable",
    entries: () => ({ User: "dave (u-00000004)" }),
    answer: "You enabled dave",
  },
  {
    words: "user disable",
    by: "carol",
    line: () => "user disable",
    entries: () => ({ User: "dave (u-00000004)", Reason: "left" }),
    answer: "You disabled dave",
  },
  {
    words: "user email",
    by: "carol",
    line: () => "user email",
    entries: () => ({ User: "dave (u-00000004)", "New e-mail address": "dave@example.net" }),
    answer: "You changed the e-mail address of dave",
  },
  {
    words: "user remove-mfa",
    by: "carol",
    line: () => "user remove-mfa",
    entries: () => ({ User: "alice (u-00000002)" }),
    answer: "You removed the MFA of alice",
  },
  {
    words: "user unlock",
    by: "carol",
    line: () => "user unlock",
    entries: () => ({ User: "bob (u-00000001)" }),
    answer: "You unlocked bob",
  },
  {
    words: "user detach-policy",
    by: "carol",
    line: () => "user detach-policy",
    entries: () => ({ User: "bob (u-00000001)", Policy: "Read only (mp-00000003)" }),
    answer: "You detached policy",
  },
  {
    words: "user offboard",
    by: "carol",
    line: () => "user offboard",
    entries: () => ({ User: "dave (u-00000004)" }),
    answer: "You offboarded dave",
  },
  {
    words: "project rename",
    by: "carol",
    line: () => "project rename",
    entries: () => ({ Project: "Production (p-prod)", "New name": "Live" }),
    answer: "You renamed project",
  },
  {
    words: "policy show",
    by: "carol",
    line: () => "policy show",
    entries: () => ({ Policy: "Read only (mp-00000003)" }),
    answer: "Read only",
  },
  {
    words: "action show",
    by: "carol",
    line: () => "action show",
    entries: () => ({ Action: "Start staging at 07:30 (a-00000001)" }),
    answer: "Start staging at 07:30",
  },
  {
    words: "plan create",
    by: "carol",
    line: () => "plan create",
    entries: () => ({
      Name: "Weekend",
      Days: "weekends",
      "Start at: time, Europe/London": "08:00",
      "Stop at: time, Europe/London": "09:00",
    }),
    answer: "Weekend",
  },
  {
    words: "selector show",
    by: "carol",
    line: () => "selector show",
    entries: () => ({
      Plan: "Development office hours (plan-00000001)",
      Selector: "Staging machines (sel-00000001)",
    }),
    answer: "Staging machines",
  },
  {
    words: "selector edit",
    by: "carol",
    line: () => "selector edit",
    entries: () => ({
      Plan: "Development office hours (plan-00000001)",
      Selector: "Staging databases (sel-00000002)",
      Name: "Databases",
      Regions: "eu-west-1",
      Tags: "Owner exists",
    }),
    answer: "You changed selector Staging databases",
    details: "Staging databases → Databases",
  },
  {
    words: "credential edit",
    by: "carol",
    line: () => "credential edit",
    entries: () => ({ Credential: "AWS main account (cred-00000001)", Name: "AWS main" }),
    answer: "You changed credential AWS main account",
  },
  {
    words: "credential delete",
    by: "carol",
    line: () => "credential delete",
    entries: () => ({
      Credential: "Old build (cred-00000002)",
      "Type its name": "Old build",
    }),
    answer: "You deleted credential",
  },
  {
    words: "group show",
    by: "carol",
    line: () => "group show",
    entries: () => ({ Group: "staging" }),
    answer: "Group staging",
  },
  {
    words: "group save",
    by: "carol",
    line: () => "group save",
    entries: () => ({
      Group: "lab",
      "Resource ids": "i-0a5 i-0a6",
      "Resource type": "amazon-ec2-instance",
      Project: "Development (p-dev)",
    }),
    answer: "Saved group lab",
  },
  {
    words: "group add",
    by: "carol",
    first: { by: "carol", line: "group save more i-0a7 i-0a8 --project p-dev --type amazon-ec2-instance" },
    line: () => "group add",
    entries: () => ({ Group: "more", "Resource ids": "i-0a9", Project: "Development (p-dev)" }),
    answer: "Replaced group more",
  },
  {
    words: "group remove",
    by: "carol",
    first: { by: "carol", line: "group save fewer i-0a7 i-0a8 --project p-dev --type amazon-ec2-instance" },
    line: () => "group remove",
    entries: () => ({ Group: "fewer", "Resource ids": "i-0a8" }),
    answer: "Replaced group fewer",
  },
  {
    words: "group delete",
    by: "carol",
    first: { by: "carol", line: "group save old i-0a7 i-0a8 --project p-dev --type amazon-ec2-instance" },
    line: () => "group delete",
    entries: () => ({ Group: "old" }),
    answer: "Deleted group old",
  },
  {
    words: "recheck",
    by: "alice",
    first: settledChange,
    line: () => "recheck",
    entries: ({ changeId }) => ({ "Change id": changeId }),
    answer: "This was settled before.",
  },
  {
    words: "outcome",
    by: "alice",
    first: settledChange,
    line: () => "outcome",
    entries: ({ changeId }) => ({ "Change id": changeId, "What you saw": "It was done" }),
    answer: "This was settled before.",
  },
  {
    words: "retry",
    by: "alice",
    first: settledChange,
    line: () => "retry",
    entries: ({ changeId }) => ({ "Change id": changeId }),
    answer: "This was settled before.",
  },
  {
    words: "can",
    by: "carol",
    line: () => "can",
    entries: () => ({ Person: "Bob Helpdesk", Operation: "ModifyUser" }),
    answer: "may do this here",
  },
  {
    words: "who may",
    by: "carol",
    line: () => "who may",
    entries: () => ({ What: "exclude staging" }),
    answer: "You may keep machines running or off",
  },
];
