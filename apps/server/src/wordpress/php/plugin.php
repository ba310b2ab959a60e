<?php
// The must-use plugin of every site: shared themes, one-click sign-in, mail, and reports of changed pages and cron
// schedules.

register_theme_directory( ABSPATH . 'wp-content/themes' );
// Otherwise WordPress looks up where the active theme is in a cache in the database. While two requests fill it, one of
// them finds no theme and answers with an empty page, and its absolute paths are wrong after a site was moved.
foreach ( array( 'stylesheet', 'template' ) as $nido_kind ) {
	add_filter(
		"pre_option_{$nido_kind}_root",
		static function () use ( $nido_kind ) {
			$theme = get_option( $nido_kind );
			if ( is_dir( WP_CONTENT_DIR . "/themes/$theme" ) ) {
				return '/themes';
			}
			return is_dir( ABSPATH . "wp-content/themes/$theme" ) ? ABSPATH . 'wp-content/themes' : false;
		}
	);
}

require __DIR__ . '/sign-in.php';
require __DIR__ . '/mail.php';
require __DIR__ . '/invalidate-pages.php';
require __DIR__ . '/report-next-cron.php';
require __DIR__ . '/shared-core.php';
