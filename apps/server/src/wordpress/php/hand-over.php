<?php
// Turns a copy of the prepared database into its owner's site. Run by the platform; visitors cannot reach it.
$owner = json_decode( $_SERVER['NIDO_OWNER'], true );

define( 'SHORTINIT', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

$now     = current_time( 'mysql' );
$now_gmt = current_time( 'mysql', true );
$age     = time() - get_option( 'nido_prepared' );
// Read from the table: get_option() returns the WP_SITEURL constant instead.
$address = $wpdb->get_var( "SELECT option_value FROM $wpdb->options WHERE option_name = 'siteurl'" );

$wpdb->query( 'START TRANSACTION' );
$wpdb->update(
	$wpdb->users,
	array(
		'user_login'      => $owner['username'],
		'user_nicename'   => sanitize_title( $owner['username'] ),
		'display_name'    => $owner['username'],
		'user_email'      => $owner['email'],
		'user_url'        => WP_HOME,
		'user_registered' => $now_gmt,
		'user_pass'       => '!' . bin2hex( random_bytes( 20 ) ), // matches no password: the owner signs in with one click
	),
	array( 'ID' => 1 )
);
$wpdb->update( $wpdb->usermeta, array( 'meta_value' => $owner['username'] ), array( 'user_id' => 1, 'meta_key' => 'nickname' ) );

$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name IN ( 'siteurl', 'home' )", WP_HOME ) );
$wpdb->query(
	$wpdb->prepare(
		"UPDATE $wpdb->posts SET post_content = REPLACE( post_content, %s, %s ), guid = REPLACE( guid, %s, %s ), post_date = %s, post_date_gmt = %s, post_modified = %s, post_modified_gmt = %s",
		$address, WP_HOME, $address, WP_HOME, $now, $now_gmt, $now, $now_gmt
	)
);
$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->comments SET comment_date = %s, comment_date_gmt = %s", $now, $now_gmt ) );

update_option( 'blogname', $owner['title'] );
update_option( 'admin_email', $owner['email'] );
update_option( 'admin_email_lifespan', get_option( 'admin_email_lifespan' ) + $age );
$schedule = array();
foreach ( get_option( 'cron', array() ) as $moment => $events ) {
	$schedule[ is_int( $moment ) ? $moment + $age : $moment ] = $events;
}
update_option( 'cron', $schedule );
delete_option( 'nido_prepared' );
$wpdb->query( 'COMMIT' );

$times = array_filter( array_keys( $schedule ), 'is_int' );
file_put_contents( NIDO_STATE_DIR . '/next-cron', $times ? min( $times ) : 0 );
echo 'handed over';
