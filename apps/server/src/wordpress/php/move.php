<?php
// Replaces the site's old address with the new one in its database. Run by the platform; visitors cannot reach it.
define( 'SHORTINIT', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

// Read from the table: get_option() returns the WP_SITEURL constant instead. A site that was moved in may have two, of
// which one contains the other.
$addresses = $wpdb->get_col( "SELECT option_value FROM $wpdb->options WHERE option_name IN ( 'siteurl', 'home' )" );
// The address of the site that some of the tables come from.
if ( isset( $_SERVER['NIDO_FROM'] ) ) {
	$addresses[] = $_SERVER['NIDO_FROM'];
}
$addresses = array_unique( $addresses );
usort( $addresses, fn( $one, $other ) => strlen( $other ) - strlen( $one ) );
list( $scheme, $new_host ) = explode( '//', WP_HOME, 2 );

/** Replaces the address in a value. The string lengths in serialized values are adjusted. */
function nido_move( $text ) {
	global $pattern, $scheme, $new_host;
	// Left as it is: only its own class understands the lengths in a custom serialization (C:).
	if ( preg_match( '/(^|[;{])C:\d+:"/', $text ) && is_serialized( $text ) ) {
		return $text;
	}
	if ( ! is_serialized( $text ) ) {
		return preg_replace_callback(
			$pattern,
			fn( $found ) => $scheme . $found[1] . $new_host,
			$text
		) ?? $text;
	}
	$moved = '';
	$place = 0;
	while ( preg_match( '/(?<![\w"])s:(\d+):"/', $text, $found, PREG_OFFSET_CAPTURE, $place ) ) {
		$start  = $found[0][1] + strlen( $found[0][0] );
		$value  = nido_move( substr( $text, $start, (int) $found[1][0] ) );
		$moved .= substr( $text, $place, $found[0][1] - $place ) . 's:' . strlen( $value ) . ':"' . $value;
		$place  = $start + (int) $found[1][0];
	}
	return $moved . substr( $text, $place );
}

/** Rewrites a table in batches: it may have many rows, and visitors must not wait for a long transaction. */
function nido_move_table( $table ) {
	global $wpdb, $old_host;
	$columns = $wpdb->get_results( "DESCRIBE `$table`" );
	$keys    = array_column( array_filter( $columns, fn( $column ) => 'PRI' === $column->Key ), 'Field' );
	$texts   = array_column( array_filter( $columns, fn( $column ) => preg_match( '/char|text/i', $column->Type ) ), 'Field' );
	if ( 1 !== count( $keys ) ) {
		return;
	}
	$key  = $keys[0];
	$like = '%' . $wpdb->esc_like( $old_host ) . '%';
	// Feed readers recognise an entry by its guid, so that column does not change.
	foreach ( array_diff( $texts, $keys, array( 'guid' ) ) as $text ) {
		$last = null;
		do {
			$after = null === $last ? '' : $wpdb->prepare( " AND `$key` > %s", $last );
			$rows  = $wpdb->get_results( $wpdb->prepare( "SELECT `$key` AS k, `$text` AS v FROM `$table` WHERE `$text` LIKE %s", $like ) . "$after ORDER BY `$key` LIMIT 50" );
			$wpdb->query( 'START TRANSACTION' );
			foreach ( $rows as $row ) {
				$last  = $row->k;
				$moved = nido_move( $row->v );
				if ( $moved !== $row->v ) {
					$wpdb->update( $table, array( $text => $moved ), array( $key => $row->k ) );
				}
			}
			$wpdb->query( 'COMMIT' );
		} while ( count( $rows ) > 0 );
	}
}

set_time_limit( 0 );
foreach ( array_diff( $addresses, array( WP_HOME ) ) as $address ) {
	list( , $old_host ) = explode( '//', untrailingslashit( $address ), 2 ) + array( 1 => '' );
	if ( '' === $old_host ) {
		continue;
	}
	// Matches http and https, plain and JSON-escaped. A longer host name that begins with the old one does not match.
	$pattern = '~https?:(\\\\?/\\\\?/)' . preg_quote( $old_host, '~' ) . '(?![\w:-]|\.\w)~i';
	foreach ( $wpdb->get_col( "SHOW TABLES LIKE '" . $wpdb->esc_like( $wpdb->prefix ) . "%'" ) as $table ) {
		nido_move_table( $table );
	}
}
if ( array( WP_HOME ) !== $addresses ) {
	// Written last, so that an interrupted run starts again.
	$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name IN ( 'siteurl', 'home' )", WP_HOME ) );
	wp_cache_flush();
}
// Makes the edge drop all cached pages.
file_put_contents( NIDO_STATE_DIR . '/pages', bin2hex( random_bytes( 12 ) ) );
echo 'moved';
