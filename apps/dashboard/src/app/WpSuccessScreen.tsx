import { WpProgressScreen } from "../new-project/WpProgressScreen.tsx";
import { OpenWordPress } from "../projects/OpenWordPress.tsx";

export function WpSuccessScreen() {
  return (
    <WpProgressScreen
      enter={(project) => <OpenWordPress project={project} target="admin" look="primary" size="normal" />}
    />
  );
}
