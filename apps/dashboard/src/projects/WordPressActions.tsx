import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Row, Rows } from "../ui/Rows.tsx";
import { OpenWordPress } from "./OpenWordPress.tsx";

export function WordPressActions({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
    <Rows title={t("project.wordpress")}>
      <Row label={t("project.admin")} action={<OpenWordPress project={project} target="admin" look="primary" />}>
        <span className="font-normal text-ink-2">{t("project.openAdminText")}</span>
      </Row>
      <Row label={t("project.media")} action={<OpenWordPress project={project} target="media" />}>
        <span className="font-normal text-ink-2">{t("project.addPhotosText")}</span>
      </Row>
    </Rows>
  );
}
