/** What the server sent in the page, before anything replaced it. */
const html = document.getElementById("root")?.innerHTML ?? "";

/** Shows the page as the build rendered it until its scripts are loaded, so that nothing flashes. */
export function Prerendered() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's own page, as it stood there before
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
