<?php
// The must-use plugin of every site: shared themes, one-click sign-in, mail, hidden user names, and reports of changed
// pages, cron schedules, memory and failed logins.

// Every path without a file leads to index.php, as with nginx's usual rules for WordPress.
add_action( 'plugins_loaded', static fn () => $GLOBALS['is_nginx'] = true );

/** The text in the language of the site's screens. */
function nido_text( $spanish, $english ) {
	return str_starts_with( get_user_locale(), 'es' ) ? $spanish : $english;
}

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

// The edge limits logins, so that passwords cannot be guessed. It does not count those that are known to be right.
add_filter(
	'authenticate',
	static function ( $user ) {
		if ( $user instanceof WP_User && ! headers_sent() ) {
			header( 'X-Nido-Login: right' );
		}
		return $user;
	},
	PHP_INT_MAX
);
add_action( 'wp_login_failed', static fn () => headers_sent() || header( 'X-Nido-Login: wrong' ) );

if ( isset( $_SERVER['NIDO_SAFE'] ) ) {
	require __DIR__ . '/safe.php';
}
require __DIR__ . '/sign-in.php';
require __DIR__ . '/mail.php';
require __DIR__ . '/invalidate-pages.php';
require __DIR__ . '/report-next-cron.php';
require __DIR__ . '/report-memory.php';
require __DIR__ . '/shared-core.php';
require __DIR__ . '/hide-user-names.php';
require __DIR__ . '/loopback.php';
require __DIR__ . '/maintenance.php';
require __DIR__ . '/slow-requests.php';
if ( isset( $_SERVER['NIDO_BACKUP'] ) ) {
	require __DIR__ . '/backup-first.php';
}
if ( isset( $_SERVER['NIDO_STAGING'] ) ) {
	require __DIR__ . '/staging.php';
}
