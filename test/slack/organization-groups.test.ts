import { WebClient } from "@slack/web-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { checkGroups, checkTeams } from "../../src/slack/checks/check-slack.ts";
import { groupMembers, teamsToAsk } from "../../src/slack/people/group-members.ts";
import { quietLog } from "../changes/build.ts";
import { tinyManifest } from "../sandbox/workspace/tiny-manifest.ts";
import { startWorkspace, type Workspace } from "../support/start-workspace.ts";

const enterprise = { id: "E0ORG", name: "Example Group", isOrgWide: true };
const engineers = [{ id: "S0ENGINEERS", roles: ["engineer"] }];

let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: tinyManifest, seed: { ...defaultSeed, enterprise } });
  client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
});
afterEach(() => workspace.close());

it("user groups of an organization are read in the workspaces that count, and doctor says when none are named", async () => {
  const teams = teamsToAsk("E0ORG", new Set(["T0OTHER", "T0CURFEW"]));
  const members = await groupMembers(client, teams, quietLog);
  expect([...(members.get("S0ENGINEERS") ?? [])]).toEqual(["U01ALICE"]);
  expect((await groupMembers(client, teamsToAsk("E0ORG", undefined), quietLog)).size).toBe(0);
  expect(await checkGroups(client, engineers, teams)).toMatchObject({ verdict: "ok" });
  const unnamed = await checkGroups(client, engineers, teamsToAsk("E0ORG", undefined));
  expect(unnamed).toMatchObject({ verdict: "failed", whatToDo: "Name the workspaces in `teams`." });
  expect(teamsToAsk("T0CURFEW", new Set(["T0CURFEW", "T0OTHER"]))).toEqual([{}]);
});

it("doctor says when the members of the workspace with Curfew do not count", () => {
  expect(checkTeams("T1", undefined)).toEqual([]);
  expect(checkTeams("T1", new Set(["T1", "T2"]))).toMatchObject([{ verdict: "ok" }]);
  expect(checkTeams("E1", new Set(["T2"]))).toMatchObject([{ verdict: "ok" }]);
  expect(checkTeams("T1", new Set(["T2"]))).toMatchObject([{ verdict: "failed" }]);
});
