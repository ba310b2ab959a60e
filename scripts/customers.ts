// The customers of a product, for whoever looks after it:
//   npm run customers -- find TEXT        by a part of an e-mail address, a project's name or a domain, or by an id
//   npm run customers -- suspend PROJECT  takes a site down, whatever is paid for it
//   npm run customers -- resume PROJECT   gives it back
import { type FoundCustomer, findCustomers } from "../apps/server/src/account/findCustomers.ts";
import { holdProject } from "../apps/server/src/projects/holdProject.ts";
import { db, operate } from "./operate.ts";

const [verb = "", text = ""] = process.argv.slice(2);

await operate(act);

async function act(): Promise<string> {
  if (verb === "find" && text !== "") {
    const found = await findCustomers(db, text);
    return found.map(describe).join("\n\n") || `Nobody is found by ${text}.`;
  }
  if (verb === "suspend" || verb === "resume") {
    if (!(await holdProject(db, text, verb === "suspend"))) throw new Error(`There is no site ${text} to ${verb}.`);
    return `${text} is ${verb === "suspend" ? "down" : "up"}.`;
  }
  throw new Error("find TEXT, suspend PROJECT or resume PROJECT: see the first lines of scripts/customers.ts.");
}

function describe({ id, email, name, createdAt, projects }: FoundCustomer): string {
  const lines = projects.map(({ name: project, recipe, status, subId, domains }) =>
    `  ${project.padEnd(20)} ${status.padEnd(12)} ${recipe.padEnd(18)} ${subId} ${domains.join(", ")}`.trimEnd(),
  );
  return [`${email}  ${name}  since ${createdAt.slice(0, 10)}  ${id}`, ...lines].join("\n");
}
