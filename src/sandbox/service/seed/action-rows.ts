import type { Action } from "../account.ts";
import { daily, everyDay } from "./seed-values.ts";
import { amazon, azure, google, type Target } from "./targets.ts";

export type ActionRow = readonly [
  name: string,
  verb: "start" | "stop" | "backup",
  target: Target,
  schedule: Action["schedule"],
  tags: string[],
  also?: Partial<Action>,
];

const london = "Europe/London";
const newYork = "America/New_York";
const eastern = "Eastern Standard Time";
const pacific = "Pacific Standard Time";
const berlin = "W. Europe Standard Time";
const tokyo = "Tokyo Standard Time";
const weekend = ["saturday", "sunday"];
const onDemand = { scheduleType: "none" };
const off = { isEnabled: false };

/** The forty actions; the first is `a-00000001`. */
export const actionRows: readonly ActionRow[] = [
  ["Start staging at 07:30", "start", amazon.staging, daily("07:30", london), ["staging"]],
  ["Stop staging at 19:00", "stop", amazon.staging, daily("19:00", london), ["staging", "savings"]],
  ["Stop staging at the weekend", "stop", amazon.staging, daily("13:00", london, weekend), ["staging"]],
  ["Start staging databases", "start", amazon.stagingDatabases, daily("07:00", london), ["staging", "database"]],
  ["Stop staging databases", "stop", amazon.stagingDatabases, daily("19:30", london), ["staging", "database"]],
  ["Start staging search", "start", amazon.stagingCluster, daily("07:05", london), ["staging", "database"]],
  ["Stop staging search", "stop", amazon.stagingCluster, daily("19:35", london), ["staging", "database"]],
  ["Start build machines", "start", amazon.build, daily("06:00", london), ["build"]],
  ["Stop build machines", "stop", amazon.build, daily("22:00", london, everyDay), ["build", "savings"]],
  ["Start QA", "start", amazon.qa, daily("08:00", eastern), ["qa"]],
  ["Stop QA", "stop", amazon.qa, daily("18:30", eastern), ["qa", "savings"]],
  ["Start web for the day", "start", amazon.web, daily("05:00", newYork, everyDay), ["web"]],
  ["Stop web on demand", "stop", amazon.web, onDemand, ["web"], { comments: "Run by hand during maintenance." }],
  ["Back up web volumes", "backup", amazon.webVolumes, daily("02:30", "UTC", everyDay), ["backup"]],
  ["Start the nightly batch", "start", amazon.batch, daily("00:15", "UTC", everyDay), ["batch"]],
  ["Stop the nightly batch", "stop", amazon.batch, daily("04:45", "UTC", everyDay), ["batch"]],
  ["Start the reports replica", "start", amazon.reportsReplica, daily("06:30", newYork), ["reports", "database"]],
  ["Stop the reports replica", "stop", amazon.reportsReplica, daily("20:00", newYork), ["reports", "database"]],
  ["Back up the reports replica", "backup", amazon.reportsReplica, daily("01:30", newYork, everyDay), ["backup"]],
  ["Start the catalogue", "start", amazon.catalog, daily("08:00", berlin), ["catalogue"]],
  ["Stop the catalogue", "stop", amazon.catalog, daily("18:00", berlin), ["catalogue", "savings"]],
  ["Stop the blog preview", "stop", amazon.blog, daily("21:00", london, everyDay), ["blog"], off],
  ["Back up the office shares", "backup", amazon.shares, daily("23:00", london), ["backup"]],
  ["Start the designers' desktops", "start", amazon.desktops, daily("08:30", pacific), ["desktops"]],
  ["Stop the designers' desktops", "stop", amazon.desktops, daily("18:30", pacific), ["desktops", "savings"]],
  ["Start the development warehouse", "start", amazon.warehouse, daily("09:00", eastern), ["warehouse"]],
  ["Stop the development warehouse", "stop", amazon.warehouse, daily("17:00", eastern), ["warehouse", "savings"]],
  ["Start the tool servers", "start", azure.tools, daily("07:00", berlin), ["tools"]],
  ["Stop the tool servers", "stop", azure.tools, daily("20:00", berlin), ["tools", "savings"]],
  ["Start the Azure demo", "start", azure.demo, daily("09:00", eastern, ["tuesday", "thursday"]), ["demo"]],
  ["Stop the Azure demo", "stop", azure.demo, daily("17:00", eastern), ["demo"]],
  ["Start accounting at month's end", "start", azure.accounting, onDemand, ["accounting"], off],
  ["Stop accounting overnight", "stop", azure.accounting, daily("02:30", berlin, everyDay), ["accounting"]],
  ["Start the demo lab", "start", google.demo, daily("08:45", "Europe/Berlin"), ["demo"]],
  ["Stop the demo lab", "stop", google.demo, daily("18:15", "Europe/Berlin"), ["demo", "savings"]],
  ["Stop forgotten notebooks", "stop", google.notebooks, daily("23:30", "America/Chicago", everyDay), ["notebooks"]],
  ["Start the pipelines", "start", google.pipelines, daily("01:00", tokyo, everyDay), ["pipelines"]],
  ["Stop the pipelines", "stop", google.pipelines, daily("05:30", tokyo, everyDay), ["pipelines"]],
  ["Start the reports database", "start", google.reports, daily("06:00", "Europe/Berlin"), ["reports", "database"]],
  ["Stop the reports database", "stop", google.reports, daily("21:00", "Europe/Berlin"), ["reports", "database"]],
];

/** Earlier versions of some actions, latest first. */
export const earlierVersions: Readonly<Record<string, readonly Partial<Action>[]>> = {
  "Stop staging at 19:00": [
    { name: "Stop staging at 20:00", schedule: daily("20:00", london), lastModifiedDate: "2025-05-02T08:20:00Z" },
    { name: "Stop staging at 18:00", schedule: daily("18:00", london), lastModifiedDate: "2025-02-14T10:05:00Z" },
  ],
  "Stop the demo lab": [{ tags: ["demo"], lastModifiedDate: "2025-04-08T16:45:00Z" }],
  "Start QA": [{ schedule: daily("08:00", "UTC"), lastModifiedDate: "2025-03-03T12:00:00Z" }],
};
