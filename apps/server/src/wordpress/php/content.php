<?php
// Prints what the site contains, which is noted with each backup. Run by the platform; visitors cannot reach it.
$since = $_SERVER['NIDO_SINCE'];

ob_start();
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

function nido_count_posts( $type ) {
	$counts = (array) wp_count_posts( $type );
	unset( $counts['auto-draft'], $counts['trash'] );
	return array_sum( $counts );
}

$items = array();
foreach ( get_plugins() as $file => $plugin ) {
	$items[] = array( "plugin $file", $plugin['Name'], $plugin['Version'] );
}
foreach ( wp_get_themes() as $folder => $theme ) {
	// The others come with WordPress.
	if ( str_starts_with( $theme->get_stylesheet_directory(), WP_CONTENT_DIR ) ) {
		$items[] = array( "theme $folder", $theme->get( 'Name' ), $theme->get( 'Version' ) );
	}
}
$edited  = "SELECT COUNT(*) FROM $wpdb->posts WHERE post_type IN ('post', 'page') AND post_status NOT IN ('auto-draft', 'trash')";
$edited .= " AND post_modified_gmt > %s AND post_date_gmt <= %s AND post_date_gmt > '1000-01-01'";
$content = array(
	'posts'    => nido_count_posts( 'post' ),
	'pages'    => nido_count_posts( 'page' ),
	'media'    => nido_count_posts( 'attachment' ),
	'comments' => (int) get_comment_count()['total_comments'],
	'users'    => (int) count_users()['total_users'],
	'edited'   => (int) $wpdb->get_var( $wpdb->prepare( $edited, $since, $since ) ),
	'items'    => array_map( static fn ( $item ) => array_map( static fn ( $text ) => mb_substr( wp_strip_all_tags( (string) $text ), 0, 200 ), $item ), array_slice( $items, 0, 500 ) ),
);
ob_end_clean();
echo wp_json_encode( $content, JSON_INVALID_UTF8_SUBSTITUTE );
