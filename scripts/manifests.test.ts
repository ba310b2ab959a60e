import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as rbac from "kubernetes-models/rbac.authorization.k8s.io/v1";
import * as core from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { siteObjects, siteVolume } from "../apps/server/src/wordpress/kubernetes/siteObjects.ts";

const folder = resolve(import.meta.dirname, "../deploy/kubernetes");
const groups: Record<string, object> = {
  v1: core,
  "apps/v1": apps,
  "policy/v1": policy,
  "autoscaling/v2": autoscaling,
  "networking.k8s.io/v1": networking,
  "rbac.authorization.k8s.io/v1": rbac,
};

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** Throws if an object is not valid by the official schema of its kind. */
function validate(object: Manifest) {
  const group = groups[object.apiVersion] as Record<string, new (data: object) => { validate(): void }>;
  const Model = group?.[object.kind];
  if (!Model) throw new Error(`there is no ${object.apiVersion} ${object.kind}`);
  new Model(object).validate();
}

const manifests = readdirSync(join(folder, "base"))
  .filter((name) => name !== "kustomization.yaml")
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, "base", name), "utf8"), { merge: true }).map((document) => ({
      name,
      object: document.toJS() as Manifest,
    })),
  );

test.each(manifests.map(({ name, object }) => [name, object.kind, object.metadata.name, object] as const))(
  "deploy/kubernetes/base/%s: %s %s is valid",
  (_name, _kind, _object, object) => validate(object),
);

test("the objects of a site are valid, and its pod has no rights that it does not need", () => {
  const site = {
    id: "3f0c2a52-8c2f-4c8e-9a59-0f4d5a0c7b11",
    recipe: "wordpress_pro",
    url: "https://a.example",
    core: "6.8.3",
    runtime: "kubernetes",
  } as const;
  const secrets = {
    version: 3,
    volume: undefined,
    key: Buffer.alloc(32),
    database: { name: "site_x", host: "db:3306", password: "the-password", tls: true },
    wordpress: {},
  };
  const options = { namespace: "nido-sites", image: "host/wordpress", storageClass: undefined, runtimeClass: "gvisor" };
  const objects = [...siteObjects(site, secrets, options), siteVolume(site, secrets, options)] as Manifest[];
  expect(objects.map(({ kind }) => kind)).toEqual(["Secret", "Deployment", "PersistentVolumeClaim"]);
  for (const object of objects) validate(object);
  const { template } = (objects[1] as unknown as apps.IDeployment).spec ?? {};
  expect(template?.spec).toMatchObject({
    automountServiceAccountToken: false,
    runtimeClassName: "gvisor",
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  });
  for (const container of template?.spec?.containers ?? []) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.resources?.limits).toMatchObject({
      memory: expect.any(String),
      "ephemeral-storage": expect.any(String),
    });
  }
  // The database password and the key are in the secret, and nowhere else.
  expect(JSON.stringify(objects.slice(1))).not.toContain("the-password");
});

test("the edge may only find pods and wake sites", () => {
  const role = manifests.find(({ object }) => object.kind === "Role" && object.metadata.name === "edge");
  expect(role?.object).toMatchObject({
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      { apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["patch"] },
    ],
  });
});
