<?php
// Lists the updates of the site's plugins and themes, and makes those that are asked for. Run by the platform; visitors
// cannot reach it. WordPress itself looks for updates twice a day.
$wanted = json_decode( $_SERVER['NIDO_UPDATES'] ?? 'null', true ); // WordPress adds slashes to it

ob_start(); // plugins may print something
define( 'WP_ADMIN', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
foreach ( array( 'file', 'misc', 'plugin', 'theme', 'update', 'class-wp-upgrader' ) as $part ) {
	require_once ABSPATH . "wp-admin/includes/$part.php";
}

if ( null !== $wanted ) {
	set_time_limit( 0 );
	add_filter( 'async_update_translation', '__return_false' );
	foreach ( array( 'plugins' => 'Plugin_Upgrader', 'themes' => 'Theme_Upgrader' ) as $kind => $class ) {
		if ( $wanted[ $kind ] ) {
			// Otherwise WordPress forgets what else can be updated.
			( new $class( new Automatic_Upgrader_Skin() ) )->bulk_upgrade( $wanted[ $kind ], array( 'clear_update_cache' => false ) );
		}
	}
	wp_clean_plugins_cache( false );
	wp_clean_themes_cache( false );
}

/** The text without markup, cut to a length. */
function nido_plain( $text, $length = 200 ) {
	return mb_substr( trim( html_entity_decode( wp_strip_all_tags( is_string( $text ) ? $text : '' ) ) ), 0, $length );
}

$items   = array();
$plugins = get_plugins();
foreach ( get_site_transient( 'update_plugins' )->response ?? array() as $file => $update ) {
	if ( isset( $plugins[ $file ] ) && version_compare( $plugins[ $file ]['Version'], $update->new_version, '<' ) ) {
		$items[] = array(
			'kind'        => 'plugin',
			'id'          => $file,
			'name'        => nido_plain( $plugins[ $file ]['Name'] ),
			'version'     => nido_plain( $plugins[ $file ]['Version'], 50 ),
			'new_version' => nido_plain( $update->new_version, 50 ),
			'notice'      => nido_plain( $update->upgrade_notice ?? '', 500 ),
			'is_automatic' => in_array( $file, (array) get_site_option( 'auto_update_plugins', array() ), true ),
		);
	}
}
foreach ( get_site_transient( 'update_themes' )->response ?? array() as $folder => $update ) {
	$theme = wp_get_theme( $folder );
	// The themes that come with WordPress are shared, and updated with it.
	$is_own = $theme->exists() && str_starts_with( $theme->get_stylesheet_directory(), WP_CONTENT_DIR );
	if ( $is_own && version_compare( $theme->get( 'Version' ), $update['new_version'], '<' ) ) {
		$items[] = array(
			'kind'        => 'theme',
			'id'          => $folder,
			'name'        => nido_plain( $theme->get( 'Name' ) ),
			'version'     => nido_plain( $theme->get( 'Version' ), 50 ),
			'new_version' => nido_plain( $update['new_version'], 50 ),
			'notice'      => nido_plain( $update['upgrade_notice'] ?? '', 500 ),
			'is_automatic' => in_array( $folder, (array) get_site_option( 'auto_update_themes', array() ), true ),
		);
	}
}
$versions = array();
foreach ( $wanted['plugins'] ?? array() as $file ) {
	$versions[ $file ] = nido_plain( $plugins[ $file ]['Version'] ?? '', 50 );
}
foreach ( $wanted['themes'] ?? array() as $folder ) {
	$versions[ $folder ] = nido_plain( wp_get_theme( $folder )->get( 'Version' ), 50 );
}
$posts = get_posts( array( 'post_type' => array( 'page', 'post' ), 'numberposts' => 3, 'orderby' => 'date' ) );
$pages = array_map( static fn ( $post ) => mb_substr( wp_make_link_relative( get_permalink( $post ) ), 0, 1000 ), $posts );
ob_end_clean();
echo wp_json_encode( array( 'php' => PHP_VERSION, 'versions' => (object) $versions, 'items' => array_slice( $items, 0, 500 ), 'pages' => $pages ), JSON_INVALID_UTF8_SUBSTITUTE );
