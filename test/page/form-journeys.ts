import { changeIdIn, exclusionIdIn } from "../support/journey.ts";
import type { Entries } from "./fill-in.ts";

/** One command's form: who opens it by which line, what they put in, and what they are told. */
export interface FormJourney {
  readonly words: string;
  readonly by: string;
  /** Asked for before, by whom may be somebody else; what it is told makes the line. */
  readonly first?: { readonly by: string; readonly line: string };
  readonly line: (told: string) => string;
  readonly entries: (told: string) => Entries;
  readonly told: string;
}

const made = { by: "alice", line: 'exclude staging for 2h --name "Nightly run"' };
/** Longer than alice may without a second yes. */
const asked = { by: "alice", line: "exclude staging for 6h" };
const nothing = (): Entries => ({});

export const formJourneys: readonly FormJourney[] = [
  {
    words: "exclusion create",
    by: "alice",
    line: () => "exclude",
    entries: () => ({
      "Resource ids": "i-0a2, i-0a3",
      "Resource type": "amazon-ec2-instance",
      Project: "Development (p-dev)",
      Process: "Both",
      Name: "Demo",
      Reason: "the demo is at eight",
    }),
    told: "You excluded i-0a2, i-0a3 from starting and stopping",
  },
  {
    words: "exclusion extend",
    by: "alice",
    first: made,
    line: (told) => `exclusion extend ${exclusionIdIn(told)}`,
    entries: nothing,
    told: "You moved the end of exclusion Nightly run",
  },
  {
    words: "exclusion edit",
    by: "alice",
    first: made,
    line: () => "exclusion edit",
    entries: (told) => ({
      Exclusion: `Nightly run (${exclusionIdIn(told)})`,
      Name: "Weekly run",
      Process: "Starting",
      Enabled: "No",
    }),
    told: "Nightly run → Weekly run",
  },
  {
    words: "exclusion end",
    by: "alice",
    first: made,
    line: (told) => `exclusion end ${exclusionIdIn(told)}`,
    entries: () => ({ Reason: "no longer needed" }),
    told: "You ended exclusion Nightly run",
  },
  {
    words: "user enable",
    by: "carol",
    line: () => "user enable",
    entries: () => ({ User: "dave (u-00000004)" }),
    told: "You enabled dave",
  },
  {
    words: "user disable",
    by: "carol",
    line: () => "user disable",
    entries: () => ({ User: "dave (u-00000004)", Reason: "left" }),
    told: "You disabled dave",
  },
  {
    words: "user email",
    by: "carol",
    line: () => "user email",
    entries: () => ({ User: "dave (u-00000004)", "New e-mail address": "dave@example.net" }),
    told: "You changed the e-mail address of dave",
  },
  {
    words: "user remove-mfa",
    by: "carol",
    line: () => "user remove-mfa",
    entries: () => ({ User: "alice (u-00000002)", "Present MFA type": "google-auth" }),
    told: "You removed the MFA of alice",
  },
  {
    words: "user detach-policy",
    by: "carol",
    line: () => "user detach-policy",
    entries: () => ({ User: "bob (u-00000001)", Policy: "Read only (mp-00000003)" }),
    told: "You detached policy",
  },
  {
    words: "project rename",
    by: "carol",
    line: () => "project rename",
    entries: () => ({ Project: "Production (p-prod)", "New name": "Live" }),
    told: "You renamed project",
  },
  {
    words: "action show",
    by: "carol",
    line: () => "action show",
    entries: () => ({ Action: "Start staging at 07:30 (a-00000001)" }),
    told: "Start staging at 07:30",
  },
  {
    words: "plan create",
    by: "carol",
    line: () => "plan create",
    entries: () => ({
      Name: "Weekend",
      Project: "Development (p-dev)",
      Days: ["saturday", "sunday"],
      "Time: time, Europe/London": "08:00",
      "Stop time in seconds": "3600",
    }),
    told: "Weekend",
  },
  {
    words: "selector show",
    by: "carol",
    line: () => "selector show",
    entries: () => ({
      Plan: "Development office hours (plan-00000001)",
      Selector: "Staging machines (sel-00000001)",
    }),
    told: "Staging machines",
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
    told: "Databases",
  },
  {
    words: "credential edit",
    by: "carol",
    line: () => "credential edit",
    entries: () => ({ Credential: "AWS main account (cred-00000001)", Name: "AWS main" }),
    told: "You changed credential AWS main account",
  },
  {
    words: "credential delete",
    by: "carol",
    line: () => "credential delete",
    entries: () => ({
      Credential: "Old build (cred-00000002)",
      "Type its name": "Old build",
    }),
    told: "You deleted credential",
  },
  {
    words: "policy show",
    by: "carol",
    line: () => "policy show",
    entries: () => ({ Policy: "Read only (mp-00000003)" }),
    told: "Read only",
  },
  {
    words: "group show",
    by: "carol",
    line: () => "group show",
    entries: () => ({ Group: "staging" }),
    told: "Group staging",
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
    told: "Saved group lab",
  },
  {
    words: "group delete",
    by: "carol",
    first: { by: "carol", line: "group save old i-0a7 i-0a8 --project p-dev --type amazon-ec2-instance" },
    line: () => "group delete",
    entries: () => ({ Group: "old" }),
    told: "Deleted group old",
  },
  {
    words: "undo",
    by: "alice",
    first: made,
    line: () => "undo",
    entries: (told) => ({ "Change id": changeIdIn(told) }),
    told: "You ended exclusion Nightly run",
  },
  {
    words: "approve",
    by: "carol",
    first: asked,
    line: () => "approve",
    entries: (told) => ({ "Change id": changeIdIn(told), Note: "asked him on the phone" }),
    told: "You approved it.",
  },
  {
    words: "deny",
    by: "carol",
    first: asked,
    line: () => "deny",
    entries: (told) => ({ "Change id": changeIdIn(told), Reason: "not yet" }),
    told: "You denied it",
  },
  {
    words: "withdraw",
    by: "alice",
    first: asked,
    line: () => "withdraw",
    entries: (told) => ({ "Change id": changeIdIn(told) }),
    told: "You withdrew it",
  },
  {
    words: "can",
    by: "carol",
    line: () => "can",
    entries: () => ({ Person: "Bob Helpdesk", Operation: "ModifyUser" }),
    told: "may do this here",
  },
];
