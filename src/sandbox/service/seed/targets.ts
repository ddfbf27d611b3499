import type { ResourceType } from "../../../service/resources.ts";

/** The resources of an action. */
export interface Target {
  readonly projectId: "p-dev" | "p-prod";
  readonly resourceType: ResourceType;
  readonly regionName: string;
  readonly resourceIds: readonly string[];
}

type Row = [projectId: Target["projectId"], type: ResourceType, regionName: string, ...resourceIds: string[]];
const target = ([projectId, resourceType, regionName, ...resourceIds]: Row): Target => ({
  projectId,
  resourceType,
  regionName,
  resourceIds,
});

const machine = (group: string, name: string): string =>
  `/subscriptions/6f3c1d0a-58b2-4e7f-9a41-2b7c90d1e364/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/${name}`;

export const amazon = {
  staging: target(["p-dev", "amazon-ec2-instance", "eu-west-1", "i-0a1", "i-0a2"]),
  build: target(["p-dev", "amazon-ec2-instance", "eu-west-1", "i-0b4d1c9e7f2a63508", "i-0e6f82d7a914cb305"]),
  qa: target(["p-dev", "amazon-ec2-instance", "us-east-1", "i-0c93e1a7b5d84f216"]),
  web: target(["p-prod", "amazon-ec2-instance", "us-east-1", "i-07d51f0e3c8ab2964", "i-0f2e9b74a6c1d8053"]),
  batch: target(["p-prod", "amazon-ec2-instance", "eu-west-1", "i-09a8c47e1d5f6b320"]),
  webVolumes: target(["p-prod", "amazon-ebs-volume", "us-east-1", "vol-049df61146c4d7901", "vol-0c1a2e5b7d3f98640"]),
  stagingDatabases: target(["p-dev", "amazon-rds-instance", "eu-west-1", "staging-orders", "staging-users"]),
  reportsReplica: target(["p-prod", "amazon-rds-instance", "us-east-1", "reports-replica"]),
  stagingCluster: target(["p-dev", "amazon-rds-cluster", "eu-west-1", "staging-search-cluster"]),
  catalog: target(["p-dev", "amazon-documentdb-cluster", "eu-west-1", "catalog-docs-dev"]),
  blog: target(["p-dev", "amazon-lightsail-instance", "eu-west-1", "blog-preview"]),
  shares: target(["p-prod", "amazon-fsx-filesystem", "eu-west-1", "fs-0d2b7f4e91c6a8053"]),
  desktops: target(["p-prod", "amazon-appstream-fleet", "us-east-1", "design-desktops"]),
  warehouse: target(["p-dev", "amazon-redshift-cluster", "us-east-1", "warehouse-dev"]),
} as const;

export const azure = {
  tools: target([
    "p-dev",
    "azure-virtual-machine",
    "westeurope",
    machine("rg-dev-tools", "vm-tools-01"),
    machine("rg-dev-tools", "vm-tools-02"),
  ]),
  demo: target(["p-dev", "azure-virtual-machine", "eastus", machine("rg-demo", "vm-demo-01")]),
  accounting: target(["p-prod", "azure-virtual-machine", "westeurope", machine("rg-erp", "vm-accounting")]),
} as const;

export const google = {
  demo: target(["p-dev", "google-vm-instance", "europe-west1", "demo-eu-1", "demo-eu-2"]),
  notebooks: target(["p-dev", "google-vm-instance", "us-central1", "notebook-small", "notebook-large"]),
  pipelines: target([
    "p-prod",
    "google-vm-instance",
    "asia-northeast1",
    "etl-worker-1",
    "etl-worker-2",
    "etl-worker-3",
  ]),
  reports: target(["p-prod", "google-cloudsql-instance", "europe-west1", "example-analytics:europe-west1:reports"]),
} as const;
