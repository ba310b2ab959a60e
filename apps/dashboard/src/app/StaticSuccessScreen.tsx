import { StaticReadyScreen } from "../new-project/StaticReadyScreen.tsx";
import { PublishDrop } from "../publish/PublishDrop.tsx";

export function StaticSuccessScreen() {
  return <StaticReadyScreen publish={(project) => <PublishDrop project={project} />} />;
}
