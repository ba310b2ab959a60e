<?php
// The configuration of every site. The values of one site come from the JSON file named by NIDO_SITE.
$nido_site = json_decode( file_get_contents( $_SERVER['NIDO_SITE'] ), true );

define( 'NIDO_PLATFORM', dirname( __DIR__ ) );
define( 'WP_HOME', $_SERVER['NIDO_URL'] );
define( 'WP_SITEURL', WP_HOME );
define( 'WP_CONTENT_DIR', $nido_site['content'] );
define( 'WP_CONTENT_URL', WP_HOME . '/wp-content' );
define( 'NIDO_STATE_DIR', $nido_site['state'] );
if ( isset( $_SERVER['NIDO_SAFE'] ) ) {
	define( 'WPMU_PLUGIN_DIR', NIDO_PLATFORM . '/no-plugins' );
}
// Leaves out object-cache.php and fatal-error-handler.php. WordPress offers no way to leave out db.php.
if ( isset( $_SERVER['NIDO_NO_DROP_INS'] ) ) {
	define( 'WP_DISABLE_FATAL_ERROR_HANDLER', true );
	$wp_filter['enable_loading_object_cache_dropin'][10]['nido'] = array(
		'accepted_args' => 0,
		'function'      => static fn () => false,
	);
}
define( 'NIDO_MAIL_DIR', $nido_site['mail'] );

foreach ( $nido_site['secrets'] as $name => $secret ) {
	define( $name, $secret );
}

if ( isset( $nido_site['database']['folder'] ) ) {
	define( 'DB_ENGINE', 'sqlite' );
	define( 'DB_DIR', $nido_site['database']['folder'] );
	define( 'DB_FILE', 'wordpress.sqlite' );
	define( 'SQLITE_JOURNAL_MODE', 'DELETE' );
	define( 'DB_NAME', 'wordpress' );
} else {
	define( 'DB_NAME', $nido_site['database']['name'] );
	define( 'DB_USER', $nido_site['database']['name'] );
	define( 'DB_HOST', $nido_site['database']['host'] ?? 'localhost:' . $nido_site['database']['socket'] );
	if ( ! empty( $nido_site['database']['tls'] ) ) {
		define( 'MYSQL_CLIENT_FLAGS', MYSQLI_CLIENT_SSL );
	}
}
define( 'DB_PASSWORD', $nido_site['database']['password'] ?? '' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
if ( ! defined( 'DB_USER' ) ) {
	define( 'DB_USER', '' );
	define( 'DB_HOST', '' );
}
$table_prefix = 'wp_';

// PHP runs with the limit of the site's plan.
define( 'WP_MEMORY_LIMIT', ini_get( 'memory_limit' ) );
define( 'WP_MAX_MEMORY_LIMIT', ini_get( 'memory_limit' ) );
define( 'DISABLE_WP_CRON', true );              // our scheduler calls it
define( 'WP_AUTO_UPDATE_CORE', false );         // the core is shared, and updated by us; the owner decides about plugins
define( 'DISALLOW_FILE_EDIT', true );
define( 'FS_METHOD', 'direct' );
define( 'CONCATENATE_SCRIPTS', false );
define( 'WP_POST_REVISIONS', 10 );
// Its owner has switched the debug log on within the last day. It is the log of PHP's errors; visitors see nothing of it.
define( 'NIDO_DEBUG_FILE', NIDO_STATE_DIR . '/debug' );
define( 'WP_DEBUG', (int) @filemtime( NIDO_DEBUG_FILE ) > time() - 86400 );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', WP_DEBUG ? ini_get( 'error_log' ) : false );
// Without HTTPS, WordPress allows application passwords only on a local machine.
define( 'WP_ENVIRONMENT_TYPE', ! str_starts_with( WP_HOME, 'https:' ) ? 'local' : ( isset( $_SERVER['NIDO_STAGING'] ) ? 'staging' : 'production' ) );

require __DIR__ . '/record-fatal.php';

// Registers the plugin before WordPress loads, so that the site has no plugin file that its owner could remove.
$wp_filter['muplugins_loaded'][ PHP_INT_MIN ]['nido'] = array(
	'accepted_args' => 0,
	'function'      => static function () {
		require __DIR__ . '/plugin.php';
	},
);

require_once ABSPATH . 'wp-settings.php';
