<?php
// Lists the site's plugins, and switches them on and off without loading them. Run by the platform; visitors cannot
// reach it.
$wanted = json_decode( $_SERVER['NIDO_PLUGINS'] ?? 'null', true ); // WordPress adds slashes to it

require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

remove_filter( 'pre_option_active_plugins', '__return_empty_array' );
$active = get_option( 'active_plugins', array() );
// Only what was on before can be switched on: its own set-up has run.
$known = array_values( array_unique( array_merge( $active, get_option( 'nido_known_plugins', array() ) ) ) );
if ( null !== $wanted ) {
	$active = array_values( array_diff( array_unique( array_merge( $active, array_intersect( $known, $wanted['on'] ) ) ), $wanted['off'] ) );
	if ( $wanted['on'] || $wanted['off'] ) {
		update_option( 'nido_known_plugins', $known, false );
		update_option( 'active_plugins', $active );
		@unlink( NIDO_FATAL_FILE );
	}
	$automatic = array_merge( (array) get_site_option( 'auto_update_plugins', array() ), $wanted['automatic_on'] );
	update_site_option( 'auto_update_plugins', array_values( array_diff( array_unique( $automatic ), $wanted['automatic_off'] ) ) );
}
$automatic = (array) get_site_option( 'auto_update_plugins', array() );

$plugins = array();
foreach ( get_plugins() as $file => $plugin ) {
	$plugins[] = array(
		'id'           => $file,
		'name'         => mb_substr( html_entity_decode( wp_strip_all_tags( $plugin['Name'] ) ), 0, 200 ),
		'version'      => mb_substr( $plugin['Version'], 0, 50 ),
		'is_active'    => in_array( $file, $active, true ),
		'is_automatic' => in_array( $file, $automatic, true ),
		'can_activate' => in_array( $file, $known, true ),
	);
}
$is_recent = is_readable( NIDO_FATAL_FILE ) && filemtime( NIDO_FATAL_FILE ) > time() - WEEK_IN_SECONDS;
$fatal     = $is_recent ? json_decode( file_get_contents( NIDO_FATAL_FILE ), true ) : null;
echo wp_json_encode( array( 'plugins' => array_slice( $plugins, 0, 1000 ) ) + ( $fatal ? array( 'fatal' => $fatal ) : array() ), JSON_INVALID_UTF8_SUBSTITUTE );
