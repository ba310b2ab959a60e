declare module "*.md" {
  export const page: import("./DocPage.ts").DocPage;
}
